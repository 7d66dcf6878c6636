/** Makes the dead letter the host stores (P8): everything a person needs to find and mend the cause. */
import { ByteWriter, encodeRecord, LARGEST_REDRIVABLE, type StoredRecord } from '@millrace/protocol';
import type { DeadLetter } from '@millrace/sdk/runtime';
import { armingId, ownTag } from '@millrace/sdk/runtime';
import type { DeadLetterRow } from '../ports.ts';
import { base64, textOf } from './json-text.ts';
import { messageOf } from './user-code.ts';

const LONGEST = 64 * 1024;

export function deadLetterOf(node: string, version: number, letter: DeadLetter): DeadLetterRow {
  const { input, error, attempts, state } = letter;
  const common = {
    node,
    ...errorText(error),
    state: state === undefined ? undefined : textOf(state),
    version,
    attempts,
  };
  if ('owner' in input) {
    const { time, clock, owner, hold, armOrdinal, armedBy } = input;
    const tag = ownTag(input.tag);
    return {
      id: `${node}/timer/${armingId(input)}/${tag}`,
      input: textOf({ timer: tag, time, clock }),
      key: owner.key,
      timestamp: time,
      origin: `timer "${tag}"`,
      ...common,
      redrive: {
        kind: 'timer',
        key: owner.key,
        clock,
        tag,
        time,
        hold,
        armedBy: typeof armedBy === 'string' ? armedBy : armedBy.id,
        armOrdinal,
      },
    };
  }
  return {
    id: `${node}/${input.id}`,
    input: textOf(input.value),
    key: input.key,
    timestamp: input.timestamp,
    origin: `record ${input.id} on "${input.stream}"`,
    ...common,
    redrive: recordToRedrive(input, (bytes) => ({ kind: 'record', port: input.stream, bytes })),
  };
}

/** Undefined for a record that is too large to be kept, or is no data. */
export function recordToRedrive<T>(
  { key, timestamp, id, value, pane }: StoredRecord,
  made: (bytes: string) => T,
): T | undefined {
  const w = new ByteWriter(256);
  try {
    encodeRecord(w, { key, timestamp, id, value, pane });
  } catch {
    return undefined;
  }
  return w.length > LARGEST_REDRIVABLE ? undefined : made(base64(w.bytes.subarray(0, w.length)));
}

export function errorText(error: unknown): { error: string; stack: string } {
  const stack = error instanceof Error && typeof error.stack === 'string' ? error.stack : '';
  const message = messageOf(error);
  const hint = /read only property|not extensible|Cannot (?:assign|add|delete)/.test(message)
    ? ': record values are read-only; change a copy made with structuredClone(record.value)'
    : '';
  return { error: (message + hint).slice(0, LONGEST), stack: stack.slice(0, LONGEST) };
}
