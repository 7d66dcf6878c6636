/** The watermark strip's ticks, as pixels: hundreds of elements that move ten times a second would be laid out as often. */
import type { Strip } from './strip-ticks.ts';

const TICK = 2;
const LOW = 8;

export interface TickColours {
  readonly tick: string;
  readonly slowest: string;
}

/** Gives what was drawn as a text; nothing is drawn where that is the same as `before`. */
export function drawTicks(
  axis: HTMLCanvasElement,
  { ticks, slowest }: Strip,
  colours: TickColours,
  before: string,
): string {
  const [width, height, scale] = [axis.clientWidth, axis.clientHeight, devicePixelRatio];
  const places = new Set(ticks.map(({ at }) => Math.round(at * (width - TICK) * scale) / scale));
  const last = ticks.find(({ node }) => node === slowest)?.at;
  const now = [width, height, scale, last, ...places].join();
  const context = axis.getContext('2d');
  if (now === before || context === null) return before;
  axis.width = width * scale;
  axis.height = height * scale;
  context.scale(scale, scale);
  context.fillStyle = colours.tick;
  for (const x of places) context.fillRect(x, height - LOW, TICK, LOW);
  if (last !== undefined) {
    context.fillStyle = colours.slowest;
    context.fillRect(last * (width - TICK), 0, TICK, height);
  }
  return now;
}
