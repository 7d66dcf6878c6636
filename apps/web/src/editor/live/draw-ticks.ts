/** The watermark strip's ticks, as pixels: hundreds of elements that move ten times a second would be laid out as often. */
import type { Strip } from './strip-ticks.ts';

export const TICK = 2;
const LOW = 9;
const DASH = [2, 2] as const;

export interface TickColours {
  readonly tick: string;
  readonly slowest: string;
  readonly now: string;
}

/** Gives what was drawn as a text; nothing is drawn where that is the same as `before`. */
export function drawTicks(
  axis: HTMLCanvasElement,
  { ticks, slowest, nowAt }: Strip,
  colours: TickColours,
  before: string,
): string {
  const [width, height, scale] = [axis.clientWidth, axis.clientHeight, devicePixelRatio];
  const placeOf = (at: number): number => Math.round(at * (width - TICK) * scale) / scale;
  const places = new Set(ticks.map(({ at }) => placeOf(at)));
  const last = ticks.find(({ node }) => node === slowest)?.at;
  const drawn = [width, height, scale, last, nowAt, ...places].join();
  const context = axis.getContext('2d');
  if (drawn === before || context === null) return before;
  axis.width = width * scale;
  axis.height = height * scale;
  context.scale(scale, scale);
  if (nowAt !== undefined) drawNow(context, placeOf(nowAt), height, colours.now);
  context.fillStyle = colours.tick;
  for (const x of places) context.fillRect(x, height - LOW, TICK, LOW);
  if (last !== undefined) {
    context.fillStyle = colours.slowest;
    context.fillRect(placeOf(last), 0, TICK, height);
  }
  return drawn;
}

/** The clock on the wall is no watermark: a broken line in grey. */
function drawNow(context: CanvasRenderingContext2D, x: number, height: number, colour: string): void {
  context.strokeStyle = colour;
  context.setLineDash([...DASH]);
  context.beginPath();
  context.moveTo(x + 0.5, 0);
  context.lineTo(x + 0.5, height);
  context.stroke();
  context.setLineDash([]);
}
