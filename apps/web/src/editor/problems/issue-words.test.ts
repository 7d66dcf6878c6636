import type { Issue } from '@millrace/graph';
import { describe, expect, it } from 'vitest';
import { fieldWords, issueWords } from './issue-words.ts';

const issue = (message: string): Issue => ({
  code: 'setting',
  severity: 'error',
  message,
  node: 'n_1',
  file: 'pipeline.json',
  line: 1,
  column: 1,
});

describe('what an issue says', () => {
  it('leaves out the id of the stream beside which it stands', () => {
    const about = {
      severity: 'error',
      code: 'unknown-port',
      line: 1,
      column: 1,
      file: 'pipeline.json',
      stream: 's_1',
    } as const;
    const message = "stream 's_1': 'count' (n_1) has no output 'a'; its code has 'b'";
    expect(issueWords({ ...about, node: 'n_1', message })).toBe(
      "'count' has no output 'a'; its code has 'b'",
    );
    expect(issueWords({ ...about, message: "stream 's_1' brings text" })).toBe('Brings text');
  });

  it('names no ids where the node is seen', () => {
    expect(
      issueWords(issue("node 'map' (n_1) (operator/map): setting 'expression' is missing (expected string)")),
    ).toBe("Node 'map': setting 'expression' is missing (expected string)");
    expect(issueWords(issue("no stream leads into the input 'in' of 'map' (n_1); draw one"))).toBe(
      "No stream leads into the input 'in' of 'map'; draw one",
    );
  });

  it('tells of the key of a stream without the id of the stream', () => {
    expect(issueWords(issue("keyBy of stream 's_1': Property 'x' does not exist."))).toBe(
      "Key of a stream: Property 'x' does not exist.",
    );
  });

  it('is short at its field', () => {
    const [missing, wrong] = ['is missing (expected string)', 'is not a duration; write for example 10s'];
    const about = "node 'map' (n_1) (operator/map): setting 'every' ";
    expect(fieldWords(issue(about + missing))).toBe('Must be filled in');
    expect(fieldWords(issue(about + wrong))).toBe('Is not a duration; write for example 10s');
    const unknown = "Property 'x' does not exist on type '{ y: number }'.";
    expect(fieldWords(issue(`expression of 'n_1': ${unknown}`))).toBe(unknown);
    expect(fieldWords(issue(`keyBy of stream 's_1': ${unknown}`))).toBe(unknown);
    expect(fieldWords(issue(`timestamp of 'n_1' must give milliseconds: ${unknown}`))).toBe(
      `Must give milliseconds: ${unknown}`,
    );
  });
});
