/** What a pipeline's code logs, as long as somebody looks; opened anew after each reconnect, which begins again. */
import type { EventPayload } from '@millrace/protocol/api';
import { isConnected, onConnected, onEvent, request } from './connection.ts';

type LogsMessage = EventPayload<'logs.lines'>;
export type LogBatch = Pick<LogsMessage, 'lines' | 'cut' | 'missed' | 'restarted'>;

export interface LogListener {
  /** From the beginning of what is kept: what was shown before comes again. */
  readonly opened: () => void;
  readonly lines: (batch: LogBatch) => void;
  /** No more will come; why, in words. */
  readonly ended: (detail: string) => void;
}

/** Gives the way to stop. */
export function watchLogs(pipeline: string, listener: LogListener): () => void {
  let logs: string | undefined;
  let round = 0;
  let closed = false;
  /** What came before the answer that says which logs it is of. */
  let early: { readonly batch: LogsMessage; readonly taken: () => void }[] = [];
  const close = (id: string): void => {
    if (isConnected()) request('logs.close', { logs: id, pipeline }).catch(() => undefined);
  };
  const take = (batch: LogsMessage, taken: () => void): void => {
    if (batch.logs === logs) listener.lines(batch);
    taken();
  };
  const open = async (): Promise<void> => {
    round += 1;
    const mine = round;
    logs = undefined;
    early = [];
    const answer = await request('logs.open', { pipeline }).catch(() => undefined);
    // Without an answer the socket is away, and the next connection asks again.
    if (answer === undefined) return;
    if (closed || mine !== round) {
      if (answer.ok) close(answer.logs);
      return;
    }
    if (!answer.ok) return listener.ended(answer.detail);
    logs = answer.logs;
    listener.opened();
    for (const { batch, taken } of early.splice(0)) take(batch, taken);
  };
  const stops = [
    onEvent('logs.lines', (batch, taken) => {
      if (batch.pipeline !== pipeline) return;
      if (logs === undefined) early.push({ batch, taken });
      else if (batch.logs === logs) take(batch, taken);
    }),
    onEvent('logs.closed', (ended) => {
      if (ended.logs === logs) listener.ended(ended.detail);
    }),
    onConnected(() => void open()),
  ];
  return () => {
    closed = true;
    for (const stop of stops) stop();
    if (logs !== undefined) close(logs);
  };
}
