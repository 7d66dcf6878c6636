/** What the level gauge and a stream's width show: figures drawn so that the usual is easy to tell apart. */
import type { ViewNode } from '@millrace/protocol/api';
import { liveWords as words } from '../../text/strings/live.ts';

type ViewWatermark = ViewNode['watermark'];

/** A lag of ten minutes or more is an empty gauge. */
const EMPTY_AT_SECONDS = 600;
/** Below a tenth of a second of lag nothing is seen of it. */
const FULL_BELOW_SECONDS = 0.1;

/** 1 = level with now, 0 = far behind; by the logarithm, so that 1 s and 10 s look different. */
export function levelOf(lagMs: number): number {
  const seconds = Math.max(0, lagMs / 1_000);
  if (seconds <= FULL_BELOW_SECONDS) return 1;
  const level =
    1 - Math.log10(seconds / FULL_BELOW_SECONDS) / Math.log10(EMPTY_AT_SECONDS / FULL_BELOW_SECONDS);
  return Math.min(1, Math.max(0, level));
}

/** Five steps of a stream's width, by log(rate); 0 where nothing flows. */
export function widthStep(rate: number | undefined): 0 | 1 | 2 | 3 | 4 | 5 {
  if (rate === undefined || !(rate > 0)) return 0;
  if (rate < 10) return 1;
  if (rate < 100) return 2;
  if (rate < 1_000) return 3;
  return rate < 10_000 ? 4 : 5;
}

export type Gauge =
  | { readonly kind: 'level'; readonly level: number }
  | { readonly kind: 'idle' }
  | { readonly kind: 'not-yet' }
  | { readonly kind: 'ended' };

export function gaugeOf(watermark: ViewWatermark, lagMs: number | undefined): Gauge {
  if (watermark.kind === 'at') return { kind: 'level', level: lagMs === undefined ? 1 : levelOf(lagMs) };
  return { kind: watermark.kind };
}

/** A watermark in words around a time, which is event time and looks like it. */
export interface WatermarkWords {
  readonly before: string;
  /** Between that and a time. */
  readonly since: string;
  /** UTC ms of event time. */
  readonly time: number | undefined;
  readonly after: string;
}

/** "12:04:31 · 1.8 s behind" · "idle since 12:04:31" · "not yet" · "ended". */
export function watermarkWords(watermark: ViewWatermark, lagMs: number | undefined): WatermarkWords {
  const { kind } = watermark;
  const nothing = { before: '', since: '', time: undefined, after: '' };
  if (kind === 'at')
    return { ...nothing, time: watermark.time, after: lagMs === undefined ? '' : lagWords(lagMs) };
  const before = words.watermarks[kind];
  if (kind === 'idle' && watermark.time !== undefined)
    return { ...nothing, before, since: words.since, time: watermark.time };
  return { ...nothing, before };
}

/** What is that little ahead is only another clock. */
const AHEAD_FROM_MS = 1_000;

function lagWords(lagMs: number): string {
  return lagMs <= -AHEAD_FROM_MS ? words.ahead(lagText(-lagMs)) : words.behind(lagText(lagMs));
}

/** Three digits at most and a unit. */
export function lagText(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  const seconds = ms / 1_000;
  if (seconds < 120) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  const minutes = seconds / 60;
  if (minutes < 120) return `${Math.round(minutes)} min`;
  const hours = minutes / 60;
  if (hours < 48) return `${Math.round(hours)} h`;
  const days = hours / 24;
  return days < 730 ? `${Math.round(days)} d` : `${(days / 365.25).toFixed(1)} y`;
}
