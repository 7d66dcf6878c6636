import { computation, input, map } from '@millrace/sdk';
import { describe, expect, it } from 'vitest';
import { encodeMessage, type Reply, type Request, readReply } from '../messages.ts';
import { createUserCodeWorker } from './user-code-worker.ts';

const count = computation<{ in: { n: number } }, { out: number }, number>({
  stateVersion: 2,
  migrateState: () => 0,
  processRecord(record, ctx) {
    const sum = (ctx.state.get() ?? 0) + record.value.n;
    ctx.state.set(sum);
    ctx.produce('out', sum);
  },
});
const bundle = {
  default: {
    nodes: {
      n_count: count,
      n_map: map(input<number>(), (n) => n + 1),
      n_broken: { kind: 'failed', error: new Error('boom') },
    },
  },
};

function worker(loadModule: () => Promise<unknown> = async () => bundle) {
  const waiting: ((reply: Reply | undefined) => void)[] = [];
  const { receive } = createUserCodeWorker({
    loadModule,
    post: (frame) => waiting.shift()?.(readReply(frame)),
  });
  return (request: Request) =>
    new Promise<Reply | undefined>((done) => {
      waiting.push(done);
      receive(encodeMessage(request));
    });
}

const recorded = (expected: number) =>
  JSON.stringify({
    format: 1,
    steps: [
      { record: { stream: 'in', key: 'a', value: { n: 2 }, timestamp: 1 } },
      { restart: true },
      { record: { stream: 'in', key: 'a', value: { n: 3 }, timestamp: 2 } },
    ],
    expect: { out: [{ value: 2 }, { value: expected }] },
  });

const load: Request = { id: 1, kind: 'load', code: '', params: {} };

describe('the worker that runs recorded cases', () => {
  it('Y2: tells what a deploy must know of each node that loads', async () => {
    const ask = worker();
    await ask(load);
    const reply = await ask({ id: 2, kind: 'facts' });
    if (reply?.kind !== 'facts') throw new Error('no facts');
    const facts = new Map(reply.facts);
    expect([...facts.keys()]).toEqual(['n_count', 'n_map']);
    expect(facts.get('n_count')).toMatchObject({ stateless: false, stateVersion: 2, migrates: true });
    expect(facts.get('n_map')).toMatchObject({ stateless: true, stateVersion: 1, migrates: false });
  });

  it('runs a case and tells the differences', async () => {
    const ask = worker();
    await ask(load);
    expect(await ask({ id: 2, kind: 'case', node: 'n_count', text: recorded(5) })).toMatchObject({
      differences: [],
    });
    const reply = await ask({ id: 3, kind: 'case', node: 'n_count', text: recorded(6) });
    expect(reply).toMatchObject({ kind: 'case' });
    expect(JSON.stringify(reply)).toContain('6');
  });

  it('a faulty case, an unknown node and one that does not load are differences', async () => {
    const ask = worker();
    await ask(load);
    const differences = async (node: string, text: string) =>
      JSON.stringify(await ask({ id: 9, kind: 'case', node, text }));
    expect(await differences('n_count', '{"format":2}')).toContain('format');
    expect(await differences('__proto__', recorded(5))).toContain('no computation');
    expect(await differences('n_broken', recorded(5))).toContain('boom');
    expect(await ask({ id: 9, kind: 'case', node: 'n_count', text: '{' })).toMatchObject({ kind: 'failed' });
  });

  it('a bundle that does not load is a failure', async () => {
    const ask = worker(async () => {
      throw new Error('syntax');
    });
    expect(await ask(load)).toMatchObject({
      id: 1,
      kind: 'failed',
      error: expect.stringContaining('syntax'),
    });
  });
});
