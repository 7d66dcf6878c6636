import { connectorSpecs } from '@millrace/connectors/specs';
import { applyCommand, seedDocument } from '@millrace/document';
import { type Issue, nodeTypes, readFolder } from '@millrace/graph';
import { describe, expect, it } from 'vitest';
import { openReplica } from '../../document/replica.ts';
import { type CheckAnswer, type CheckHelper, type CheckQuestion, graphChecker } from './graph-checker.ts';
import { graphIssues } from './graph-issues.ts';

const types = nodeTypes(connectorSpecs);
const PIPELINE = {
  format: 1,
  name: 'Checked',
  nodes: { n_in: { type: 'injector/interval', name: 'ticks', config: {} } },
  streams: {},
};

/** A draft whose check takes `ms`, and a helper whose answers come when the test says. */
function world({ ms }: { readonly ms: number }) {
  const document = seedDocument(readFolder(new Map([['pipeline.json', JSON.stringify(PIPELINE)]])), {
    ...{ epoch: 1, clientId: 7, random: Math.random },
  });
  const told: (readonly Issue[])[] = [];
  const questions: CheckQuestion[] = [];
  const replica = openReplica();
  let clock = 0;
  let answer: (answer: CheckAnswer) => void = () => undefined;
  let fail = (): void => undefined;
  const checker = graphChecker({
    document,
    types,
    found: (issues) => void told.push(issues),
    now: () => (clock += ms),
    openHelper: (answered, failed): CheckHelper => {
      [answer, fail] = [answered, failed];
      return { ask: (question) => void questions.push(question), close: () => undefined };
    },
  });
  return {
    document,
    told,
    questions,
    checker,
    fail: () => fail(),
    /** As the worker does. */
    answerTo: ({ round, updates }: CheckQuestion) => {
      replica.take(updates);
      answer({ round, issues: graphIssues(replica.document, types) });
    },
    rename: (name: string) =>
      applyCommand(document, { kind: 'rename-node', node: 'n_in', name }, { random: Math.random, types }),
  };
}

describe('the check of the graph', () => {
  it('is done in place while it is quick', () => {
    const { checker, told, questions } = world({ ms: 1 });
    checker.check();
    checker.check();
    expect([told.length, questions.length, checker.isBusy()]).toEqual([2, 0, false]);
  });

  it('goes to a worker once it took long, which says the same of each change', () => {
    const { checker, told, questions, answerTo, rename, document } = world({ ms: 9 });
    checker.check();
    checker.check();
    rename('tocks');
    checker.check();
    expect(checker.isBusy()).toBe(true);
    answerTo(questions[0] as CheckQuestion);
    rename('clicks');
    checker.check();
    answerTo(questions[1] as CheckQuestion);
    expect(checker.isBusy()).toBe(false);
    expect(told.at(-1)).toEqual(graphIssues(document, types));
    expect(JSON.stringify(told.at(-1))).toContain('clicks');
  });

  it('tells the newest answer only (GC1)', () => {
    const { checker, told, questions, answerTo } = world({ ms: 9 });
    for (let i = 0; i < 4; i++) checker.check();
    answerTo(questions[0] as CheckQuestion);
    expect([told.length, checker.isBusy()]).toEqual([2, true]);
  });

  it('goes on in place where the worker fails (GC2)', () => {
    const { checker, told, questions, fail } = world({ ms: 9 });
    for (let i = 0; i < 3; i++) checker.check();
    fail();
    checker.check();
    expect([told.length, questions.length, checker.isBusy()]).toEqual([4, 1, false]);
  });
});
