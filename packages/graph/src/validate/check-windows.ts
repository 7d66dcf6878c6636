/** N3: what a window can do depends on what is in front of it. */
import { applyParameters } from '../config-parameters.ts';
import type { Settings } from '../node-types.ts';
import type { Node } from '../pipeline.ts';
import { PASSING, reached } from './reached.ts';
import { called, type Subject, specOf } from './subject.ts';

const AGGREGATE = 'operator/aggregate';
const WINDOW_JOIN = 'operator/windowJoin';
export function checkWindows(subject: Subject): void {
  for (const node of subject.folder.pipeline.nodes.values()) {
    if (node.type !== AGGREGATE && node.type !== WINDOW_JOIN) continue;
    const config = settingsOf(subject, node);
    checkFires(subject, node, config);
    if (config.accumulation === 'accumulating-and-retracting') checkTakers(subject, node);
  }
}

/** A global window ends with its input; where that has no end, only a trigger shows anything. */
function checkFires(subject: Subject, node: Node, { window, trigger }: Settings): void {
  if (fieldOf(window, 'type') !== 'global' || fieldOf(trigger, 'early') !== undefined) return;
  const endless = reached(subject, node, 'to', () => true).find((source) =>
    specOf(subject, source)?.isEndless?.(settingsOf(subject, source)),
  );
  if (endless === undefined) return;
  const isJoin = node.type === WINDOW_JOIN;
  const where = { path: ['nodes', node.id, 'config', isJoin ? 'window' : 'trigger'], node: node.id };
  const remedy = isJoin ? 'another window' : 'a trigger, such as { "early": "1m" }, or another window';
  const message = `node ${called(node)} never shows anything: its window is global and ${called(endless)} has no end; give it ${remedy}`;
  subject.report('never-fires', where, message);
}

/** What would add up records that take others back, or drop them, would be wrong without a trace. */
function checkTakers(subject: Subject, node: Node): void {
  const takers = reached(subject, node, 'from', ({ type }) => PASSING.includes(type));
  for (const taker of takers.filter(({ type }) => type.startsWith('operator/') && !PASSING.includes(type))) {
    const isAggregate = taker.type === AGGREGATE;
    if (isAggregate && settingsOf(subject, taker).retractions === true) continue;
    const path = ['nodes', taker.id, ...(isAggregate ? ['config', 'retractions'] : ['type'])];
    const remedy = isAggregate
      ? 'set "retractions" to true'
      : `have that one accumulate or discard, or put an aggregate with "retractions" between them`;
    const message = `node ${called(taker)} would take what ${called(node)} takes back for more records; ${remedy}`;
    subject.report('retractions', { path, node: taker.id }, message);
  }
}

function settingsOf({ params }: Subject, { config }: Node): Settings {
  return applyParameters(config, params).config;
}

function fieldOf(setting: unknown, name: string): unknown {
  return typeof setting === 'object' && setting !== null ? (setting as Settings)[name] : undefined;
}
