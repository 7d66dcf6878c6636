import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { draftOf } from '../../test/fixture.ts';
import { seeded } from '../../test/random.ts';
import { commandOf, dice } from '../../test/random-command.ts';
import { applyCommand } from '../commands/apply-command.ts';
import { filesOf, toFolder } from '../folder/to-folder.ts';
import type { PipelineDocument } from '../shape/open-document.ts';
import { EMPTY_HISTORY, type History } from './history.ts';
import { readHistory } from './read-history.ts';
import { record } from './record.ts';
import { redo, undo } from './undo.ts';

describe('a history nobody else interferes with', () => {
  it('every command is undone exactly and redone exactly, one by one and all the way', () => {
    fc.assert(
      fc.property(fc.array(dice, { minLength: 1, maxLength: 25 }), fc.nat(), (throws, seed) => {
        const draft = draftOf();
        const random = seeded(seed);
        const states = [stateOf(draft)];
        let history: History = EMPTY_HISTORY;
        for (const [at, thrown] of throws.entries()) {
          const result = applyCommand(draft, commandOf(draft, thrown), { random });
          if (result.kind === 'refused' || result.changes.length === 0) continue;
          const epoch = 1;
          history = record(history, {
            label: result.command,
            at: at * 10_000,
            epoch,
            changes: result.changes,
          });
          states.push(stateOf(draft));
        }
        for (let i = states.length - 1; i > 0; i--) history = stepTo(draft, history, undo, states[i - 1]);
        expect(undo(draft, history, 0)).toEqual({ kind: 'nothing' });
        for (let i = 1; i < states.length; i++) history = stepTo(draft, history, redo, states[i]);
        for (let i = states.length - 1; i > 0; i--) history = stepTo(draft, history, undo, states[i - 1]);
      }),
      { numRuns: 200 },
    );
  });
});

function stepTo(draft: PipelineDocument, history: History, step: typeof undo, expected: unknown): History {
  // What is kept between two steps is data: a reload changes nothing.
  const result = step(draft, readHistory(JSON.parse(JSON.stringify(history))), 0);
  if (result.kind === 'nothing') throw new Error('there was nothing to step');
  expect(result.skipped).toEqual([]);
  expect(stateOf(draft)).toEqual(expected);
  return result.history;
}

/** All that can be seen, texts as they are typed. */
function stateOf(draft: PipelineDocument): unknown {
  const { pipeline, layout } = draft.read();
  return [[...toFolder(draft)], [...filesOf(draft)], pipeline, layout].map((part) => structuredClone(part));
}
