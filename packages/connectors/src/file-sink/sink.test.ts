import {
  appendFile,
  chmod,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenSink, SinkMark } from '@millrace/engine';
import { describe, expect, it } from 'vitest';
import { type MemorySinkContext, memorySinkContext, sinkText, tempFolder } from '../../test/contexts.ts';
import { fileSink } from './sink.ts';

const never = new AbortController().signal;

async function using(
  context: MemorySinkContext,
  work: (sink: OpenSink) => Promise<void>,
  config: Record<string, unknown> = {},
): Promise<void> {
  const sink = await fileSink.open({ path: 'out.jsonl', ...config }, context);
  try {
    await work(sink);
  } finally {
    await sink.close();
  }
}

const send = (sink: OpenSink, through: number, ...rows: string[]): Promise<unknown> =>
  sink.deliver({ through, rows: [], texts: [sinkText(through, ...rows)] }, never);

describe('sink/file', () => {
  it('P7: writes the bytes as they are, a line each, and commits length and identity', async () => {
    const folder = await tempFolder();
    const context = memorySinkContext(folder);
    await using(context, async (sink) => {
      expect(sink.through).toBe(0);
      await send(sink, 3, '{"n":90071992547409931}', '{"k":"é\\u0000"}');
      await send(sink, 4);
      expect(sink.through).toBe(4);
    });
    expect(await readFile(join(folder, 'out.jsonl'), 'utf8')).toBe(
      '{"n":90071992547409931}\n{"k":"é\\u0000"}\n',
    );
    expect(context.committed.map(({ through, detail }) => [through, detail.length])).toEqual([
      [0, 0],
      [3, 41],
      [4, 41],
    ]);
    expect(await readdir(folder)).toEqual(['out.jsonl']);
  });

  it('P7: what was written and not committed is cut off, and written once when it is delivered again', async () => {
    const folder = await tempFolder();
    const context = memorySinkContext(folder);
    await using(context, async (sink) => {
      await send(sink, 1, 'a');
      context.failNext = new Error('killed before the commit');
      await expect(send(sink, 2, 'b', 'c')).rejects.toThrow('killed before the commit');
      await expect(send(sink, 2, 'b', 'c')).rejects.toThrow('no longer open');
    });
    expect(await readFile(join(folder, 'out.jsonl'), 'utf8')).toBe('a\nb\nc\n');
    await using(context, async (sink) => {
      expect(sink.through).toBe(1);
      expect(await readFile(join(folder, 'out.jsonl'), 'utf8')).toBe('a\n');
      await send(sink, 2, 'b', 'c');
      await send(sink, 2, 'b', 'c');
    });
    expect(await readFile(join(folder, 'out.jsonl'), 'utf8')).toBe('a\nb\nc\n');
  });

  it('P7: a kill before the first commit cuts nothing that was there before', async () => {
    const folder = await tempFolder();
    await writeFile(join(folder, 'out.jsonl'), 'mine, without an end');
    const context = memorySinkContext(folder);
    await using(context, async (sink) => {
      context.failNext = new Error('killed');
      await expect(send(sink, 1, 'a')).rejects.toThrow('killed');
    });
    await using(context, (sink) => send(sink, 1, 'a').then(() => undefined));
    expect(await readFile(join(folder, 'out.jsonl'), 'utf8')).toBe('mine, without an end\na\n');
  });

  it('"replace" empties the file for a new run only', async () => {
    const folder = await tempFolder();
    await writeFile(join(folder, 'out.jsonl'), 'old\n');
    const context = memorySinkContext(folder);
    await using(context, (sink) => send(sink, 1, 'a').then(() => undefined), { existing: 'replace' });
    await using(context, (sink) => send(sink, 2, 'b').then(() => undefined), { existing: 'replace' });
    expect(await readFile(join(folder, 'out.jsonl'), 'utf8')).toBe('a\nb\n');
    await using(memorySinkContext(folder), (sink) => send(sink, 1, 'c').then(() => undefined), {
      existing: 'replace',
    });
    expect(await readFile(join(folder, 'out.jsonl'), 'utf8')).toBe('c\n');
  });

  it.each<[string, (path: string) => Promise<unknown>, RegExp]>([
    [
      'shorter',
      (path) => truncate(path, 1),
      /4 bytes of results were written to it, but it now holds only 1\. .*--fresh/,
    ],
    ['gone', (path) => rm(path), /4 bytes of results were written to it, but it is gone\. Put the file back/],
    [
      'another one',
      async (path) => {
        await rename(path, `${path}.old`);
        await writeFile(path, 'a\nb\n');
      },
      /it is not the file that results were written to \(inode \d+ then, \d+ now\)/,
    ],
    ['rewritten in place', (path) => writeFile(path, 'x\ny\nz\n', { flag: 'r+' }), /it is not the file/],
  ])('P7: a file that is %s stops the sink with instructions, untouched', async (_name, spoil, message) => {
    const folder = await tempFolder();
    const path = join(folder, 'out.jsonl');
    const context = memorySinkContext(folder);
    await using(context, (sink) => send(sink, 1, 'a', 'b').then(() => undefined));
    await spoil(path);
    const before = await readFile(path, 'utf8').catch(() => 'absent');
    const commits = context.committed.length;
    await expect(fileSink.open({ path: 'out.jsonl' }, context)).rejects.toThrow(message);
    expect(await readFile(path, 'utf8').catch(() => 'absent')).toBe(before);
    expect(context.committed.length).toBe(commits);
    expect((await readdir(folder)).filter((name) => name.includes('lock'))).toEqual([]);
  });

  it.each<[string, (path: string) => Promise<unknown>, RegExp]>([
    ['written to', (path) => appendFile(path, 'x'), /another program writes to it/],
    ['emptied', (path) => truncate(path, 0), /holds 0 bytes where 2 were written/],
    ['deleted', (path) => rm(path), /was moved, deleted or replaced while it was being written/],
  ])('P7: a file that is %s by others while it is open stops the sink', async (_name, spoil, message) => {
    const folder = await tempFolder();
    const context = memorySinkContext(folder);
    await using(context, async (sink) => {
      await send(sink, 1, 'a');
      await spoil(join(folder, 'out.jsonl'));
      await expect(send(sink, 2, 'b')).rejects.toThrow(message);
      expect(context.committed.at(-1)?.through).toBe(1);
    });
  });

  it('a mark of an unknown kind stops the sink', async () => {
    const mark: SinkMark = { through: 3, detail: { size: 3 } };
    const opening = fileSink.open({ path: 'out.jsonl' }, memorySinkContext(await tempFolder(), mark));
    await expect(opening).rejects.toThrow('not of a kind this version of Millrace knows');
  });

  it.each([
    ['../out', /leaves the pipeline's folder/],
    ['link', /a link on the way leads out/],
    ['linked/out', /a link on the way leads out/],
    ['dangling', /something else took its name: a link that leads nowhere/],
    ['folder', /it is a folder/],
    ['absent/out', /its folder .*absent does not exist\. Make the folder/],
    ['/dev/null', /it is a pipe, socket or device/],
  ])('the path %j is refused and nothing is made', async (path, message) => {
    const outside = await tempFolder();
    const folder = join(outside, 'pipeline');
    await mkdir(join(folder, 'folder'), { recursive: true });
    await writeFile(join(outside, 'other'), 'other');
    await symlink('../other', join(folder, 'link'));
    await symlink('nowhere', join(folder, 'dangling'));
    await symlink('..', join(folder, 'linked'));
    const before = [await readdir(outside), await readdir(folder)];
    await expect(fileSink.open({ path }, memorySinkContext(folder))).rejects.toThrow(message);
    await expect(fileSink.open({ path }, memorySinkContext(folder))).rejects.toThrow(
      /^Node "result" could not write to the file "/,
    );
    expect([await readdir(outside), await readdir(folder)]).toEqual(before);
  });

  it.runIf(process.getuid?.() !== 0)('a folder without the right to write is told', async () => {
    const folder = await tempFolder();
    await chmod(folder, 0o500);
    await expect(fileSink.open({ path: 'out' }, memorySinkContext(folder))).rejects.toThrow(
      'permission is denied',
    );
    await chmod(folder, 0o700);
  });
});
