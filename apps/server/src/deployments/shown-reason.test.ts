import { expect, test } from 'vitest';
import { accountActor } from '../testing/test-app.ts';
import { shownObservation, shownReason } from './shown-reason.ts';

const toViewer = (reason: string) => shownReason(accountActor('viewer'), 'p_one', reason);
const HIDDEN = 'what went wrong may quote records, which your role does not include seeing';

test('who may not see data is told a reason only where it is whole in words of ours', () => {
  for (const ours of [
    'the engine host ended 3 times while this pipeline was starting; start it by hand when the cause is gone',
    'no progress for 5 s',
    'it ended with SIGABRT (out of memory)',
    'it ended with code 1',
    'version 7 cannot run: "numbers": there is no file absent.jsonl',
  ])
    expect(toViewer(ours)).toBe(ours);
  for (const theirs of [
    'node "parse": cannot take ada@example.org',
    'no progress for 5 s: ada@example.org',
    'it failed: version 7 cannot run: ada@example.org',
    'it ended with SIGKILL ada@example.org',
    'sent a frame that is none: ada@example.org',
    '',
  ])
    expect(toViewer(theirs)).toBe(HIDDEN);
});

test('who may see data is told all of it, and where there is no reason none is made up', () => {
  expect(shownReason(accountActor('editor'), 'p_one', 'ada@example.org')).toBe('ada@example.org');
  expect(shownReason(accountActor('viewer'), 'p_one', undefined)).toBeUndefined();
  const quiet = { pipeline: 'p_one', state: 'stopped', since: 1, revision: 1 } as const;
  expect(shownObservation(accountActor('viewer'), quiet)).toBe(quiet);
});
