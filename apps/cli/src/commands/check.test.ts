import { existsSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseCommandLine } from '../command-line.ts';
import { recordingTerminal } from '../testing/recording-terminal.ts';
import { countCode, pipelineJson, type SampleFolder, sampleFolder } from '../testing/sample-folder.ts';
import { runCommand } from './run-command-line.ts';

let folder: SampleFolder;
beforeEach(() => {
  folder = sampleFolder();
});
afterEach(() => folder.remove());

async function millrace(...args: string[]) {
  const terminal = recordingTerminal();
  const code = await runCommand(parseCommandLine([...args, folder.path]), terminal);
  return { code, stdout: terminal.written.stdout.join(''), stderr: terminal.written.stderr.join('') };
}

describe('millrace check', () => {
  it('exits 0 and prints nothing on stdout for a sound pipeline', async () => {
    expect(await millrace('check')).toEqual({ code: 0, stdout: '', stderr: 'no issues\n' });
  });

  it('G3: prints all issues at once, of graph and code, as file:line:column, and exits 1', async () => {
    folder.write('nodes/count.ts', countCode.replace('flights });', 'fligths: flights });'));
    folder.write(
      'pipeline.json',
      JSON.stringify({
        ...pipelineJson,
        nodes: {
          ...pipelineJson.nodes,
          n_lost: { type: 'sink/file', name: 'lost', config: { path: 'x.jsonl' } },
        },
      }),
    );
    const { code, stdout } = await millrace('check');
    expect(code).toBe(1);
    expect(stdout).toMatch(/nodes\/count\.ts:\d+:\d+: error: /);
    expect(stdout).toMatch(/pipeline\.json:\d+:\d+: error: .*lost/);
    for (const line of stdout.trimEnd().split('\n'))
      expect(line).toMatch(/:\d+:\d+: (error|warning): |^ {4}/);
  });

  it('--json gives one line with the issues', async () => {
    folder.write('pipeline.json', '{ "format": 99 }');
    const { code, stdout, stderr } = await millrace('check', '--json');
    expect(code).toBe(1);
    expect(stdout.trimEnd().split('\n')).toHaveLength(1);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false });
    expect(stdout).toContain('format 1');
    expect(stderr).toContain('error');
  });

  it('tells a folder that is not there from a pipeline with issues', async () => {
    folder.remove();
    await expect(millrace('check')).rejects.toThrow('there is no such file or folder');
  });
});

describe('millrace types', () => {
  it('writes the types of the streams and a tsconfig', async () => {
    const { code } = await millrace('types');
    expect(code).toBe(0);
    for (const path of ['tsconfig.json', 'n_count/streams.d.ts', 'n_count/node.ts']) {
      expect(existsSync(join(folder.path, '.millrace', path))).toBe(true);
    }
  });

  it('writes nothing through a link and nothing outside, whatever an id says', async () => {
    const elsewhere = sampleFolder();
    symlinkSync(elsewhere.path, join(folder.path, '.millrace'));
    await expect(millrace('types')).rejects.toThrow('not a folder of its own');
    elsewhere.remove();
    const nodes = { ...pipelineJson.nodes, '../../n_x': { type: 'code', name: 'x', code: 'nodes/count.ts' } };
    const hostile = sampleFolder();
    hostile.write('pipeline.json', JSON.stringify({ ...pipelineJson, nodes }));
    const before = readdirSync(join(hostile.path, '..')).filter((name) => name.startsWith('n_x'));
    const args = parseCommandLine(['types', hostile.path]);
    await runCommand(args, recordingTerminal()).catch(() => {});
    expect(readdirSync(join(hostile.path, '..')).filter((name) => name.startsWith('n_x'))).toEqual(before);
    hostile.remove();
  });
});
