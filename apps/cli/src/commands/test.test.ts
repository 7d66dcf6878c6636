import { inProcessUserCode } from '@millrace/deployment/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordingTerminal } from '../testing/recording-terminal.ts';
import { countCase, countCode, type SampleFolder, sampleFolder } from '../testing/sample-folder.ts';
import { test } from './test.ts';

let folder: SampleFolder;
beforeEach(() => {
  folder = sampleFolder();
});
afterEach(() => folder.remove());

async function millraceTest(json = false) {
  const terminal = recordingTerminal();
  const code = await test({ kind: 'test', folder: folder.path, json }, terminal, inProcessUserCode);
  return { code, stdout: terminal.written.stdout.join(''), stderr: terminal.written.stderr.join('') };
}

describe('millrace test', () => {
  it('runs the recorded cases, each against its node', async () => {
    const { code, stdout, stderr } = await millraceTest();
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ok {4}.*tests\/two\.json\n$/);
    expect(stderr).toBe('1 passed, 0 failed\n');
  });

  it('shows how the output differs and exits 1', async () => {
    folder.write('tests/three.json', countCase(3));
    const { code, stdout, stderr } = await millraceTest();
    expect(code).toBe(1);
    expect(stdout).toMatch(/not ok .*tests\/three\.json\n {4}/);
    expect(stderr).toBe('1 passed, 1 failed\n');
  });

  it('--json is one line', async () => {
    folder.write('tests/three.json', countCase(3));
    const { stdout } = await millraceTest(true);
    expect(stdout.trimEnd().split('\n')).toHaveLength(1);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, passed: 1, failed: 1 });
  });

  it('does not run the cases of a pipeline with issues', async () => {
    folder.write('nodes/count.ts', countCode.replace('flights });', 'nothing });'));
    const { code, stdout, stderr } = await millraceTest();
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toContain('nodes/count.ts:');
  });

  it('P8: a handler that throws is a difference', async () => {
    folder.write(
      'nodes/count.ts',
      countCode.replace('const flights', "if (ctx.key) throw new Error('boom');\n    const flights"),
    );
    const { code, stdout } = await millraceTest();
    expect(code).toBe(1);
    expect(stdout).toContain('boom');
  });

  it('a record on a stream that is no input of the node is told with the inputs there are', async () => {
    folder.write('tests/two.json', countCase(2).replace('"stream":"flights"', '"stream":"flight"'));
    const { code, stdout } = await millraceTest();
    expect(code).toBe(1);
    expect(stdout).toContain("steps[0].record.stream: 'n_count' has no input 'flight'; it has flights");
  });

  it('a case that says nothing does not pass', async () => {
    folder.write('tests/two.json', '{}');
    expect((await millraceTest()).code).toBe(1);
  });
});
