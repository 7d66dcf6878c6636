import { describe, expect, it } from 'vitest';
import { recordingTerminal } from '../testing/recording-terminal.ts';
import { type Ended, report } from './report.ts';

const counts = {
  late: 0,
  deadLettered: 0,
  timersDeadLettered: 0,
  processed: 0,
  redriven: 0,
  droppedLate: 0,
  duplicates: 0,
  setAside: 0,
  waiting: 0,
  counts: {},
  countsCut: 0,
};
const ended: Ended = {
  plan: { pipeline: 'p_1', name: 'flights', nodes: [], streams: [], params: {} },
  version: 3,
  elapsedMs: 3_210.4,
  deadLetters: [],
  result: {
    kind: 'done',
    summary: {
      nodes: [
        { ...counts, node: 'n_a', name: 'a', in: 0, out: 2 },
        { ...counts, node: 'n_b', name: 'b', in: 2, out: 0, deadLettered: 9 },
      ],
    },
  },
};

function written(json: boolean, what: Ended = ended) {
  const terminal = recordingTerminal();
  report(what, json, terminal);
  return { stdout: terminal.written.stdout.join(''), stderr: terminal.written.stderr.join('') };
}

describe('the end of a run', () => {
  it('is a table on stdout', () => {
    const { stdout, stderr } = written(false);
    expect(stdout).toContain('flights: done after 3.2 s');
    expect(stdout).toContain('… 9 dead letters in all');
    expect(stderr).toBe('');
  });

  it('with --json is one line on stdout, all else on stderr', () => {
    const { stdout, stderr } = written(true);
    expect(stdout.endsWith('\n')).toBe(true);
    expect(stdout.trimEnd()).not.toContain('\n');
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      kind: 'done',
      version: 3,
      elapsedMs: 3210,
      nodes: [
        { name: 'a', in: 0, out: 2, late: 0, deadLettered: 0 },
        { name: 'b', in: 2, out: 0, late: 0, deadLettered: 9 },
      ],
    });
    expect(stderr).toContain('done after');
  });

  it('says why it failed', () => {
    const failed: Ended = { ...ended, result: { ...ended.result, kind: 'failed', error: 'disk is full' } };
    expect(written(false, failed).stdout).toContain('disk is full');
    expect(JSON.parse(written(true, failed).stdout)).toMatchObject({ ok: false, error: 'disk is full' });
  });
});
