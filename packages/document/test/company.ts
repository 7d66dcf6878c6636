/** Two people in one draft, as the tests need them: each with a history, in touch when the test says so. */
import * as Y from 'yjs';
import { type Applied, applyCommand } from '../src/commands/apply-command.ts';
import type { Command } from '../src/commands/command.ts';
import { EMPTY_HISTORY, type History } from '../src/history/history.ts';
import { record } from '../src/history/record.ts';
import { redo, type Stepped, undo } from '../src/history/undo.ts';
import { openDocument, type PipelineDocument } from '../src/shape/open-document.ts';
import { draftOf, types } from './fixture.ts';
import { seeded } from './random.ts';

export interface Person {
  readonly document: PipelineDocument;
  readonly history: () => History;
  /** UTC ms of the next edit; edits far apart are steps of their own. */
  readonly does: (command: Command, how?: { at?: number; gesture?: string }) => Applied;
  readonly undoes: () => Stepped;
  readonly redoes: () => Stepped;
  readonly codeOf: (id: string) => string;
}

export function company(): { ann: Person; bob: Person; meet: () => void } {
  const state = Y.encodeStateAsUpdate(draftOf().doc);
  const [ann, bob] = [person(2000, state), person(3000, state)];
  const meet = (): void => {
    Y.applyUpdate(bob.document.doc, Y.encodeStateAsUpdate(ann.document.doc));
    Y.applyUpdate(ann.document.doc, Y.encodeStateAsUpdate(bob.document.doc));
  };
  return { ann, bob, meet };
}

function person(clientId: number, state: Uint8Array): Person {
  const document = openDocument({ clientId });
  Y.applyUpdate(document.doc, state);
  const random = seeded(clientId);
  let history: History = EMPTY_HISTORY;
  let clock = 0;
  const step = (go: typeof undo): Stepped => {
    const result = go(document, history, clock);
    if (result.kind === 'nothing') throw new Error('there is nothing to step');
    history = result.history;
    return result;
  };
  return {
    document,
    history: () => history,
    does: (command, how = {}) => {
      const result = applyCommand(document, command, { random, types });
      if (result.kind === 'refused') throw new Error(`${result.code}: ${result.reason}`);
      clock += 60_000;
      const { at = clock, gesture } = how;
      const step = { label: command.kind, at, epoch: 1, changes: result.changes };
      history = record(history, gesture === undefined ? step : { ...step, gesture });
      return result;
    },
    undoes: () => step(undo),
    redoes: () => step(redo),
    codeOf: (id) => document.code(id)?.toString() ?? '',
  };
}

export function typed(code: string, at: number, insert: string, remove = 0): Command {
  return { kind: 'edit-code', code, splices: [{ at, remove, insert }] };
}
