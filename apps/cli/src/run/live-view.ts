/**
 * Draws progress while a pipeline runs: in place on a terminal, at most ten times a second; elsewhere one plain
 * line every five seconds. Owns the last lines of stderr until `close`; log lines go above them.
 *
 * L1 A frame is one write, so that nothing else can come between its lines.
 * L2 A terminal that does not take its output gets no more frames, only the newest once it does.
 * L3 The cursor is never hidden: a killed process would leave it so.
 */

import type { Progress } from '@millrace/engine';
import type { Terminal } from '../terminal.ts';
import { progressLine, progressLines } from './progress-view.ts';

export interface LiveView {
  update(progress: Progress): void;
  log(line: string): void;
  close(): void;
}

export interface Clock {
  /** Wall time in ms. */
  now(): number;
}

export const drawEveryMs = 100;
export const lineEveryMs = 5_000;

export function liveView(terminal: Terminal, clock: Clock, title: string): LiveView {
  const startedAt = clock.now();
  let drawnLines = 0;
  let shownAt = startedAt;
  let latest: Progress | undefined;

  const clear = () => {
    const up = drawnLines > 0 ? `\u001b[${drawnLines}A\r\u001b[J` : '';
    drawnLines = 0;
    return up;
  };
  const frame = () => {
    if (latest === undefined || !terminal.isTty) return '';
    const elapsedMs = clock.now() - startedAt;
    const view = { title, elapsedMs, now: clock.now(), style: terminal.style, ...terminal.size() };
    const lines = progressLines(latest, view);
    drawnLines = lines.length;
    return `${lines.join('\n')}\n`;
  };

  return {
    update(progress) {
      latest = progress;
      const now = clock.now();
      if (now - shownAt < (terminal.isTty ? drawEveryMs : lineEveryMs) || terminal.isBusy()) return;
      shownAt = now;
      if (terminal.isTty) terminal.stderr(clear() + frame());
      else terminal.stderr(`${progressLine(progress, { elapsedMs: now - startedAt, now })}\n`);
    },
    log(line) {
      terminal.stderr(`${clear()}${line}\n${frame()}`);
    },
    close() {
      const text = clear();
      latest = undefined;
      if (text !== '') terminal.stderr(text);
    },
  };
}
