/**
 * What a frame costs, from a trace of Chromium: CPU time of the page's main thread, which other work on the machine
 * does not stretch, and where it went.
 */

export const TRACED = ['-*', 'toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline', 'cc'];

const PARTS = {
  script: ['FunctionCall', 'EvaluateScript', 'FireAnimationFrame', 'TimerFire', 'EventDispatch'],
  style: ['UpdateLayoutTree', 'ScheduleStyleRecalculation'],
  layout: ['Layout'],
  paint: ['PrePaint', 'Paint', 'UpdateLayer', 'Layerize', 'Commit'],
  collect: ['MinorGC', 'MajorGC', 'V8.GCScavenger'],
};

/** Milliseconds, by frame of the main thread. */
export function frameCost(trace, frames) {
  const { traceEvents } = JSON.parse(trace.toString());
  const main = mainThread(traceEvents);
  const own = traceEvents.filter((event) => event.ph === 'X' && threadOf(event) === main);
  const tasks = own.filter(({ name }) => /RunTask$/.test(name));
  const parts = Object.fromEntries(
    Object.entries(PARTS).map(([part, names]) => [part, sum(outermost(own, names)) / 1_000 / frames]),
  );
  const raster = traceEvents.filter(({ ph, name }) => ph === 'X' && name === 'RasterTask');
  return {
    main: sum(outermost(tasks, undefined)) / 1_000 / frames,
    ...parts,
    raster: sum(raster) / 1_000 / frames,
  };
}

const threadOf = ({ pid, tid }) => `${pid}:${tid}`;
const cpu = ({ tdur, dur }) => tdur ?? dur ?? 0;
const sum = (events) => events.reduce((all, event) => all + cpu(event), 0);

/** Of several renderers the one that drew. */
function mainThread(events) {
  const names = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(threadOf),
  );
  const drawn = new Map();
  for (const event of events)
    if (event.name === 'FireAnimationFrame' && names.has(threadOf(event)))
      drawn.set(threadOf(event), (drawn.get(threadOf(event)) ?? 0) + 1);
  return [...drawn].sort(([, a], [, b]) => b - a)[0]?.[0];
}

/** Events by name that lie in no other of them. */
function outermost(events, names) {
  const wanted = events
    .filter(({ name }) => names === undefined || names.includes(name))
    .sort((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0));
  const kept = [];
  let until = 0;
  for (const event of wanted) {
    if (event.ts < until) continue;
    kept.push(event);
    until = event.ts + (event.dur ?? 0);
  }
  return kept;
}
