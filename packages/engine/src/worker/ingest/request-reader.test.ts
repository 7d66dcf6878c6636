import type { PostedRequest, RequestProgress } from '@millrace/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RequestReader } from './request-reader.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

function request(over: Partial<PostedRequest>): PostedRequest {
  return {
    kind: 'request',
    number: 0,
    id: 'a',
    format: 'jsonl',
    time: 5,
    remember: undefined,
    resume: undefined,
    bytes: bytes(''),
    ...over,
  };
}

/** Reads to the end; broken pieces are rejected as the ingest stage does it. */
function readAll(reader: RequestReader): unknown[] {
  const found: unknown[] = [];
  for (let item = reader.next(); item !== undefined; item = reader.next()) {
    if (item === 'skipped') found.push('skipped');
    else if (item.kind === 'record') found.push(structuredClone(item.value));
    else {
      found.push(`broken ${reader.index}`);
      reader.reject(item.error);
    }
  }
  return found;
}

const remember = { digest: new Uint8Array(32), since: 7 };

describe('RequestReader', () => {
  it('gives the records of one request after the other, and an answer for each, in order', () => {
    const reader = new RequestReader(10, undefined);
    reader.push(request({ bytes: bytes('1\n{"x":2}\r\n\n3') }), 1);
    reader.push(request({ id: 'b', format: 'json', bytes: bytes('[4, {"y": [5]}]') }), 2);
    reader.push(request({ id: 'c', format: 'json', bytes: bytes(' {"one": true} ') }), 3);
    reader.push(request({ id: 'd', bytes: bytes('') }), 4);
    expect(readAll(reader)).toEqual([1, { x: 2 }, 3, 4, { y: [5] }, { one: true }]);
    expect(reader.number).toBe(14);
    expect(reader.unfinished).toBeUndefined();
    expect(reader.unreadBytes).toBe(0);
    const { answers, memory } = reader.takeMemory();
    expect(answers.map(({ accepted }) => accepted)).toEqual([3, 2, 1, 0]);
    expect(memory).toBeUndefined();
  });

  it('rejects what is no record by its index, in every format', () => {
    for (const [format, body, rejected, accepted] of [
      ['jsonl', '{"a":1}\n{"a":\n3\n', [1], 2],
      ['json', '[1, {"a" 2}, 3]', [1], 2],
      ['json', '{"a":', [0], 0],
      ['json', '', [0], 0],
      ['json', '[1, 2', [2], 2],
      ['json', '[1] 2', [1], 1],
    ] as const) {
      const reader = new RequestReader(0, undefined);
      reader.push(request({ format, bytes: bytes(body) }), 1);
      readAll(reader);
      const answer = reader.takeMemory().answers[0];
      expect([answer?.rejected.map(({ index }) => index).slice(0, 1), answer?.accepted], body).toEqual([
        rejected,
        accepted,
      ]);
    }
  });

  it('goes on behind an element of an array that is too long', () => {
    const reader = new RequestReader(0, undefined);
    const long = 'x'.repeat(9 << 20);
    reader.push(request({ format: 'json', bytes: bytes(`[1,"${long}",3]`) }), 1);
    expect(readAll(reader)).toEqual([1, 'broken 1', 3]);
    const [answer] = reader.takeMemory().answers;
    expect(answer?.rejected).toMatchObject([{ index: 1, reason: expect.stringContaining('8 MiB') }]);
  });

  it('lists so many rejections and counts the others, so that an answer stays small', () => {
    const reader = new RequestReader(0, undefined);
    reader.push(request({ bytes: bytes('x\n'.repeat(10_000)) }), 1);
    readAll(reader);
    const [answer] = reader.takeMemory().answers;
    expect([answer?.accepted, answer?.rejected.length, answer?.unlisted]).toEqual([0, 500, 9_500]);
  });

  it('P4: decides each index once, wherever a commit cut the request and whoever sends it again', () => {
    const values = Array.from({ length: 20 }, (_, i) => (i % 7 === 3 ? undefined : { i }));
    const lines = bytes(
      values.map((value) => (value === undefined ? '{' : JSON.stringify(value))).join('\n'),
    );
    fc.assert(
      fc.property(fc.nat(21), fc.boolean(), (cut, hostLives) => {
        const first = new RequestReader(0, undefined);
        first.push(request({ bytes: lines, remember }), 1);
        const seen: unknown[] = [];
        for (let left = cut; left > 0; left--) {
          const item = first.next();
          if (item === undefined || item === 'skipped') break;
          if (item.kind === 'record') seen.push(structuredClone(item.value));
          else first.reject(item.error);
        }
        const [entry] = first.takeEntries();
        const { memory, answers } = first.takeMemory();
        if (answers.length > 0) return;
        const resume = hostLives ? undefined : (entry?.entry as RequestProgress | undefined);
        const second = new RequestReader(0, hostLives ? memory : undefined);
        second.push(request({ bytes: lines, remember, resume }), 1);
        seen.push(...readAll(second).filter((item) => typeof item === 'object'));
        expect(seen).toEqual(values.filter((value) => value !== undefined));
        const [last] = second.takeEntries();
        expect(last?.entry).toMatchObject({ done: true, accepted: 17, through: 20, since: 7 });
        expect(second.takeMemory().answers[0]?.rejected.map(({ index }) => index)).toEqual([3, 10, 17]);
      }),
    );
  });

  it('remembers what is decided of a request only where its sender can come again, and not of another request', () => {
    const reader = new RequestReader(3, { id: 'other', through: 5, accepted: 5, rejected: [], unlisted: 0 });
    reader.push(request({ id: 'mine', bytes: bytes('1\n2') }), 1);
    expect(readAll(reader)).toEqual([1, 2]);
    expect(reader.takeEntries()).toEqual([]);
  });

  it('takes a byte-order mark, and characters that pieces cut, as they are', () => {
    const reader = new RequestReader(0, undefined);
    const text = '😀é'.repeat(400_000);
    reader.push(request({ bytes: bytes(`\ufeff"x"\r\n"${text}"\r\n`) }), 1);
    reader.push(request({ id: 'b', format: 'json', bytes: bytes(`\ufeff["${text}"]`) }), 2);
    expect(readAll(reader)).toEqual(['x', text, text]);
  });
});
