import type { StreamRecord } from '../api.ts';

/** What was paired, counted or passed on already cannot be taken back: a wrong result without a trace otherwise. */
export function refuseRetracted(record: Pick<StreamRecord, 'pane'>, what: string): void {
  if (record.pane?.retracts !== true) return;
  throw new TypeError(
    `This record takes back a pane of an aggregate that is "accumulating-and-retracting", and ${what} cannot take off again what it made of that pane. Have the aggregate accumulate or discard.`,
  );
}
