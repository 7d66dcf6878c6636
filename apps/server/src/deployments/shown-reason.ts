/**
 * Why a pipeline failed or a worker ended, as it may be told. An exception's text, or what a source says of a row, may
 * quote records: who may not read data is told only what is in words of ours, with nothing in it but numbers; and why a
 * version cannot begin, which is found out before anything is read (`checkingVersions`) and speaks of its settings.
 */
import type { Observation } from '@millrace/protocol/control';
import { type Actor, may } from '../http/actor.ts';

const OURS: readonly RegExp[] = [
  /^the engine host ended \d{1,3} times while this pipeline was starting; start it by hand when the cause is gone$/,
  /^another host has taken over this pipeline; this one has stopped$/,
  /^its sources did not open within \d{1,4} s$/,
  /^no progress for \d{1,4} s$/,
  /^version \d{1,9} cannot run: /,
  /^it ended with (code \d{1,5}|SIG[A-Z0-9]{2,8})( \(out of memory\))?$/,
];
const HIDDEN = 'what went wrong may quote records, which your role does not include seeing';

export function shownReason<R extends string | undefined>(
  actor: Actor,
  pipeline: string,
  reason: R,
): R | string {
  if (reason === undefined || may(actor, 'data.read', pipeline)) return reason;
  return OURS.some((each) => each.test(reason)) ? reason : HIDDEN;
}

export function shownObservation(actor: Actor, observation: Observation): Observation {
  const { reason, pipeline } = observation;
  return reason === undefined
    ? observation
    : { ...observation, reason: shownReason(actor, pipeline, reason) };
}
