import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { memorySinkContext, sinkText, tempFolder } from '../../test/contexts.ts';
import { fileSink } from './sink.ts';

/** A file system of 256 kB; `undefined` where this user may not mount one. */
async function smallDisk(): Promise<string | undefined> {
  const folder = join(await tempFolder(), 'disk');
  await mkdir(folder);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'none', folder], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  onTestFinished(() => void execFileSync('umount', ['-l', folder]));
  return folder;
}

const texts = [sinkText(1, 'x'.repeat(100_000), 'y'.repeat(100_000))];

describe('sink/file on a full disk', () => {
  it('P7: waits, says so, and goes on by itself when there is space', async ({ skip }) => {
    const disk = (await smallDisk()) ?? skip('this user may not mount a small file system');
    await writeFile(join(disk, 'ballast'), Buffer.alloc(120_000));
    const context = memorySinkContext(disk);
    const sink = await fileSink.open({ path: 'out' }, context);
    onTestFinished(() => sink.close());
    const delivering = sink.deliver({ through: 1, rows: [], texts }, new AbortController().signal);
    await vi.waitFor(() =>
      expect(context.messages).toEqual(['Node "result": the disk is full; out waits until there is space.']),
    );
    expect(context.committed.at(-1)?.through).toBe(0);
    await rm(join(disk, 'ballast'));
    await delivering;
    expect((await readFile(join(disk, 'out'))).length).toBe(200_002);
    expect(context.committed.at(-1)).toMatchObject({ through: 1, detail: { length: 200_002 } });
  });

  it('P7: stopped while it waits, it has written nothing and says what to do', async ({ skip }) => {
    const disk = (await smallDisk()) ?? skip('this user may not mount a small file system');
    await writeFile(join(disk, 'ballast'), Buffer.alloc(120_000));
    const context = memorySinkContext(disk);
    const sink = await fileSink.open({ path: 'out' }, context);
    onTestFinished(() => sink.close());
    const stop = new AbortController();
    const delivering = sink.deliver({ through: 1, rows: [], texts }, stop.signal);
    const outcome = expect(delivering).rejects.toThrow(
      'the disk is full. Free some space and start again; nothing is lost.',
    );
    await vi.waitFor(() => expect(context.messages.length).toBe(1));
    stop.abort();
    await outcome;
    expect((await readFile(join(disk, 'out'))).length).toBe(0);
  });
});
