/**
 * Windows the slow way, straight from model.md N1–N5: every record is kept, every window is a list. What the
 * operators do with slices, timers and stored sessions must not be told from this.
 */

import type { Pane } from '../src/index.ts';

export type OracleStep = { readonly time: number; readonly key: string; readonly value: number } | number;

export interface OracleSettings {
  readonly latenessMs: number;
  readonly discarding: boolean;
}

export interface OraclePane {
  readonly key: string;
  readonly values: readonly number[];
  readonly pane: Pane;
}

interface OpenWindow {
  start: number;
  end: number;
  values: number[];
  /** Not yet in a pane. */
  pending: number[];
  panes: number;
}

export interface OracleResult {
  readonly panes: readonly OraclePane[];
  readonly late: readonly { key: string; value: number }[];
  /** Keys that hold anything after each step. */
  readonly keys: readonly (readonly string[])[];
}

type Assign = (time: number) => readonly (readonly [start: number, end: number])[];

export function slidingAssigner(size: number, slide: number, offset: number): Assign {
  return (time) => {
    const found: [number, number][] = [];
    for (
      let start = Math.floor((time - offset) / slide) * slide + offset;
      start + size > time;
      start -= slide
    ) {
      found.unshift([start, start + size]);
    }
    return found;
  };
}

/** `merging`: the windows of a key that overlap become one (N2). */
export function windowOracle(
  steps: readonly OracleStep[],
  assign: Assign,
  merging: boolean,
  settings: OracleSettings,
): OracleResult {
  const { latenessMs, discarding } = settings;
  const windows = new Map<string, OpenWindow[]>();
  const panes: OraclePane[] = [];
  const late: { key: string; value: number }[] = [];
  const keys: string[][] = [];
  let watermark = Number.NEGATIVE_INFINITY;

  const fire = (key: string, window: OpenWindow, timing: Pane['timing']): void => {
    const { start, end } = window;
    const last = watermark >= end + latenessMs;
    const values = [...(discarding ? window.pending : window.values)];
    panes.push({ key, values, pane: { start, end, index: window.panes, timing, last } });
    window.pending = [];
    window.panes += 1;
  };

  const add = (key: string, time: number, value: number): void => {
    const ofKey = windows.get(key) ?? [];
    windows.set(key, ofKey);
    let taken = 0;
    for (const [start, end] of assign(time)) {
      const joined = ofKey.filter((w) =>
        merging ? w.start < end && w.end > start : w.start === start && w.end === end,
      );
      const merged: OpenWindow = {
        start: Math.min(start, ...joined.map((w) => w.start)),
        end: Math.max(end, ...joined.map((w) => w.end)),
        values: [...joined.flatMap((w) => w.values), value],
        pending: [...joined.flatMap((w) => w.pending), value],
        panes: Math.max(0, ...joined.map((w) => w.panes)),
      };
      if (time < watermark && watermark >= merged.end + latenessMs) continue;
      taken += 1;
      for (const w of joined) ofKey.splice(ofKey.indexOf(w), 1);
      ofKey.push(merged);
      if (watermark >= merged.end) fire(key, merged, 'late');
    }
    if (taken === 0 && assign(time).length > 0) late.push({ key, value });
  };

  for (const step of steps) {
    if (typeof step === 'number') {
      watermark = Math.max(watermark, step);
      for (const [key, ofKey] of windows) {
        for (const w of [...ofKey].sort((a, b) => a.end - b.end)) {
          if (w.end <= watermark && w.pending.length > 0) fire(key, w, 'on-time');
        }
      }
    } else {
      add(step.key, step.time, step.value);
    }
    for (const [key, ofKey] of windows) {
      windows.set(
        key,
        ofKey.filter((w) => watermark < w.end + latenessMs),
      );
    }
    keys.push([...windows].filter(([, ofKey]) => ofKey.length > 0).map(([key]) => key));
  }
  return { panes, late, keys };
}
