import type { SourceChunk } from '@millrace/engine';
import { FencedError } from '@millrace/store';
import { describe, expect, it } from 'vitest';
import { connectorContext, memorySinkContext, sinkRow } from '../../test/contexts.ts';
import { redactingInjector, redactingSink } from './redacting.ts';
import { Redaction } from './redaction.ts';

const never = new AbortController().signal;

function knowing(...secrets: readonly string[]): Redaction {
  const redaction = new Redaction();
  for (const secret of secrets) redaction.learn(secret);
  return redaction;
}

describe('Redaction', () => {
  it.each([
    ['hunter2', 'token hunter2 is bad: hunter2!'],
    ['p w/d+&', `url https://x/?t=${encodeURIComponent('p w/d+&')}`],
    ['say "hi"\nnow', JSON.stringify({ got: 'say "hi"\nnow' })],
    ['canary-123', `basic ${Buffer.from('canary-123').toString('base64')}`],
    ['Bearer canary-123', 'unknown token canary-123'],
    ['postgres://me:canary-123@db/x', 'password authentication failed with canary-123'],
    ['postgres://me:can%40ary-1@db/x', 'tried can@ary-1, also written can%40ary-1'],
    ['https://hooks.example/T123456/canary-123?key=canary-456', 'POST /T123456/canary-123 key=canary-456'],
    ['  canary-123\n', 'trimmed: canary-123.'],
    [
      'https://user:canary-123@x/',
      `Authorization: Basic ${Buffer.from('user:canary-123').toString('base64')}`,
    ],
  ])('of %j nothing is left in %j', (secret, said) => {
    const shown = knowing(secret).text(said);
    expect(shown).toContain('•••');
    expect(shown).not.toMatch(/hunter2|p w|canary|p%20w|say|can@ary|can%40|Y2FuYXJ5|dXNlcj/);
  });

  it('of two secrets of which one holds the other nothing is left', () => {
    expect(knowing('abc', 'abcdef').text('abcdef abc')).toBe('••• •••');
  });

  it('what is no secret stays readable', () => {
    expect(knowing('https://db.example:443/').text('the port 443 of db.example is closed')).toContain('443');
    expect(knowing('').text('nothing')).toBe('nothing');
  });

  it('goes through message, stack, causes, lists and the fields of drivers, and keeps the error what it is', () => {
    const deepest = Object.assign(new Error('canary-123'), { detail: 'for canary-123', port: 1 });
    const error = new FencedError('canary-123 was told');
    Object.assign(error, { cause: new AggregateError([deepest], 'all canary-123') });
    const cleaned = knowing('canary-123').error(error) as Error & { cause: AggregateError };
    expect(cleaned).toBe(error);
    expect(cleaned).toBeInstanceOf(FencedError);
    const said = [cleaned, cleaned.cause, cleaned.cause.errors[0]].flatMap((each) => [
      each.message,
      each.stack,
      JSON.stringify(each),
    ]);
    expect(said.join('\n')).not.toContain('canary');
    expect(cleaned.message).toContain('••• was told');
  });

  it('control: without a secret an error is left untouched', () => {
    const error = new Error('canary-123');
    expect((new Redaction().error(error) as Error).message).toBe('canary-123');
  });
});

describe('a connector that says its secret', () => {
  const canary = 'canary-5e1f';

  it('is heard without it: in dead letters, messages and errors', async () => {
    const context = { ...memorySinkContext('/'), secret: async () => canary };
    const sink = await redactingSink({
      egress: 'line',
      async open(_config, given) {
        const token = await given.secret('crm');
        return {
          through: 0,
          async deliver(batch) {
            given.log?.(`using ${token}`);
            await given.commit({ through: 1, detail: {} }, [{ row: batch.rows[0]!, error: `no ${token}` }]);
            throw new Error(`broken by ${token}`, { cause: new Error(token) });
          },
          close: async () => {},
        };
      },
    }).open({}, context);
    const failed = await sink
      .deliver({ through: 1, rows: [sinkRow(1, 0, '{}')] }, never)
      .catch((error: Error) => error);
    const all = JSON.stringify([context.deadLetters, context.messages, String((failed as Error).stack)]);
    expect(all).not.toContain(canary);
    expect(context.deadLetters[0]?.error).toBe('no •••');
    expect((failed as Error).message).toBe('broken by •••');
  });

  it('also an injector, while it reads', async () => {
    const context = { ...connectorContext('/'), secret: async () => canary };
    const injector = await redactingInjector({
      async open(_config, given) {
        const token = await given.secret('crm');
        const read = async function* (): AsyncGenerator<SourceChunk> {
          yield { kind: 'ended' };
          throw new Error(`refused ${token}`);
        };
        return { partitions: [{ name: '0', read }], close: async () => {} };
      },
    }).open({}, context);
    const reading = injector.partitions[0]?.read(0, never)[Symbol.asyncIterator]();
    await reading?.next();
    await expect(reading?.next()).rejects.toThrow('refused •••');
  });
});
