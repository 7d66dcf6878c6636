import type { View } from '@millrace/protocol/api';
import { useStoreApi } from '@xyflow/react';
import { useEffect, useRef } from 'react';
import type { StoreApi } from 'zustand/vanilla';
import { onThemeChange, tokenColour } from '../../shell/theme.ts';
import { formatCount } from '../../text/format-number.ts';
import { liveWords as words } from '../../text/strings/live.ts';
import { useEditor } from '../editor-context.tsx';
import { widthStep } from '../live/level.ts';
import type { LiveStore } from '../live/live-store.ts';
import { rateText } from '../live/rate-text.ts';
import { backlogOf } from '../live/stream-backlog.ts';
import type { Figures } from './draw-figures.ts';
import { drawStreams, type StreamColours } from './draw-streams.ts';
import type { DrawnStream } from './drawn-streams.ts';
import styles from './stream-layer.module.css';
import { placeFor, type StreamPlace } from './stream-places.ts';
import { zoomLevel } from './zoom-level.ts';

export interface StreamLayerProps {
  readonly streams: readonly DrawnStream[];
  /** Those that React Flow draws as well: under the pointer, selected. */
  readonly elsewhere: ReadonlySet<string>;
  readonly places: StoreApi<ReadonlyMap<string, StreamPlace>>;
}

/** Beyond each edge of what is seen, in pixels: so far the canvas is only shifted, not drawn again. */
const BEYOND = 240;
/** New numbers are drawn that often at most. */
const NUMBERS_MS = 250;

/** Many streams on one canvas. It has no pointer: `streamAt` says what is under it. */
export function StreamLayer({ streams, elsewhere, places }: StreamLayerProps) {
  const { live } = useEditor();
  const internals = useStoreApi();
  const canvas = useRef<HTMLCanvasElement>(null);
  const layer = useRef<ReturnType<typeof streamLayer>>(undefined);
  const shown = useRef({ streams, elsewhere, places });
  shown.current = { streams, elsewhere, places };
  useEffect(() => {
    if (canvas.current === null) return;
    const painted = streamLayer(canvas.current, live, internals.getState, () => shown.current);
    layer.current = painted;
    const stops = [
      internals.subscribe(painted.move),
      live.paintAll(painted.takeNumbers),
      places.subscribe(painted.drawSoon),
      onThemeChange(() => requestAnimationFrame(painted.recolour)),
    ];
    return () => {
      layer.current = undefined;
      painted.close();
      for (const stop of stops) stop();
    };
  }, [internals, live, places]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is shown is drawn anew when it changes
  useEffect(() => layer.current?.draw(), [streams, elsewhere]);
  return <canvas ref={canvas} className={styles.layer} aria-hidden />;
}

interface FlowView {
  readonly width: number;
  readonly height: number;
  readonly transform: readonly [x: number, y: number, zoom: number];
}

function streamLayer(
  canvas: HTMLCanvasElement,
  live: LiveStore,
  flowView: () => FlowView,
  shown: () => StreamLayerProps,
) {
  const context = canvas.getContext('2d');
  let colours = readColours();
  let steps: ReadonlyMap<string, number> = new Map();
  let figuresOf: (id: string) => Figures | undefined = () => undefined;
  let drawn: FlowView | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let frame = 0;

  const draw = (): void => {
    frame = 0;
    const { width, height, transform } = flowView();
    if (context === null || width === 0) return;
    drawn = { width, height, transform };
    const scale = devicePixelRatio;
    const [w, h] = [width + 2 * BEYOND, height + 2 * BEYOND];
    const [pixels, rows] = [Math.round(w * scale), Math.round(h * scale)];
    if (canvas.width !== pixels || canvas.height !== rows) {
      canvas.width = pixels;
      canvas.height = rows;
      canvas.style.width = `${w}px`;
      canvas.style.height = `${h}px`;
    }
    canvas.style.transform = 'none';
    const [x, y, zoom] = transform;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, pixels, rows);
    context.setTransform(scale * zoom, 0, 0, scale * zoom, scale * (x + BEYOND), scale * (y + BEYOND));
    const { streams, elsewhere, places } = shown();
    const found = places.getState();
    drawStreams(context, {
      streams,
      placeOf: (stream) => placeFor(found.get(stream.id), stream),
      stepOf: (id) => steps.get(id) ?? 0,
      figuresOf,
      isElsewhere: (id) => elsewhere.has(id),
      zoom,
      level: zoomLevel(zoom),
      area: { x: (-x - BEYOND) / zoom, y: (-y - BEYOND) / zoom, width: w / zoom, height: h / zoom },
      colours,
    });
  };
  const drawSoon = (): void => {
    frame ||= requestAnimationFrame(draw);
  };

  return {
    draw,
    drawSoon,
    /** At the pace of the canvas: as long as what was drawn reaches, it is only shifted. */
    move: (): void => {
      const now = flowView();
      if (drawn !== undefined && now.transform === drawn.transform && now.width === drawn.width) return;
      const [x, y, zoom] = now.transform;
      const isSame =
        drawn !== undefined &&
        zoom === drawn.transform[2] &&
        now.width === drawn.width &&
        now.height === drawn.height;
      const [dx, dy] = [x - (drawn?.transform[0] ?? 0), y - (drawn?.transform[1] ?? 0)];
      if (!isSame || Math.abs(dx) > BEYOND || Math.abs(dy) > BEYOND) draw();
      else canvas.style.transform = `translate(${dx}px, ${dy}px)`;
    },
    takeNumbers: (view: View | undefined, isBeat: boolean): void => {
      const next = new Map<string, number>();
      for (const { stream, rate } of view?.streams ?? []) next.set(stream, widthStep(rate));
      const isSame = next.size === steps.size && [...next].every(([id, step]) => steps.get(id) === step);
      steps = next;
      const isRead = isBeat && zoomLevel(flowView().transform[2]) === 'near';
      if (isRead) figuresOf = figuresIn(view, live);
      if (isSame && !isRead) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        drawSoon();
      }, NUMBERS_MS);
    },
    recolour: (): void => {
      colours = readColours();
      draw();
    },
    close: (): void => {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
    },
  };
}

/** Put in words for those that are drawn only. */
function figuresIn(view: View | undefined, live: LiveStore): (id: string) => Figures | undefined {
  const streams = new Map(view?.streams.map((stream) => [stream.stream, stream]));
  return (id) => {
    const stream = streams.get(id);
    if (stream === undefined) return undefined;
    const backlog = backlogOf(stream);
    return {
      rate: rateText(stream.rate),
      waiting: backlog === undefined ? undefined : formatCount(backlog),
      waitingInWords: backlog === undefined ? undefined : words.waiting(formatCount(backlog)),
      history: live.history.of(id),
    };
  };
}

const readColours = (): StreamColours => ({
  dry: tokenColour('--stream'),
  flow: tokenColour('--stream-flow'),
  error: tokenColour('--error'),
  label: tokenColour('--text-soft'),
  labelGround: tokenColour('--canvas'),
  labelLine: tokenColour('--line'),
  font: `450 10.5px ${fontOf('--font-code')}`,
  figures: {
    spark: tokenColour('--accent'),
    rate: tokenColour('--text-soft'),
    ground: tokenColour('--canvas'),
    warn: tokenColour('--warn'),
    font: `450 11px ${fontOf('--font')}`,
  },
});

const fontOf = (token: string): string => getComputedStyle(document.documentElement).getPropertyValue(token);
