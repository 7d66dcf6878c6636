import { execFileSync } from 'node:child_process';
import { mkdir, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { SourcePartition } from '@millrace/engine';
import { describe, expect, it } from 'vitest';
import { collect, connectorContext, tempFolder } from '../../test/contexts.ts';
import { CHUNK_BYTES, fileInjector } from './injector.ts';

const never = new AbortController().signal;

async function openFile(folder: string, config: Record<string, unknown>): Promise<SourcePartition> {
  const { partitions } = await fileInjector.open({ format: 'jsonl', ...config }, connectorContext(folder));
  const [partition] = partitions;
  if (partition === undefined) throw new Error('no partition');
  return partition;
}

const lines = (count: number): string =>
  Array.from({ length: count }, (_, i) => `{"n":${i},"é":"${'x'.repeat(i % 50)}"}\n`).join('');

describe('injector/file', () => {
  it('P4: hands over every byte once, in ranges of at most 256 kB, with its offset', async () => {
    const folder = await tempFolder();
    const text = lines(20_000);
    await writeFile(join(folder, 'in.jsonl'), text);
    const partition = await openFile(folder, { path: 'in.jsonl' });
    expect(partition.name).toBe('in.jsonl');
    const read = await collect(partition.read(0, never));
    expect(read.text).toBe(text);
    expect(Math.max(...read.sizes)).toBeLessThanOrEqual(CHUNK_BYTES);
    expect(read.last).toBe('ended');
  });

  it.each([0, 1, 255, 262_144, 700_000])('P4: goes on at offset %i, packed or not', async (offset) => {
    const folder = await tempFolder();
    const text = lines(20_000);
    await writeFile(join(folder, 'in.jsonl'), text);
    await writeFile(join(folder, 'in.jsonl.gz'), gzipSync(text));
    for (const path of ['in.jsonl', 'in.jsonl.gz']) {
      const read = await collect((await openFile(folder, { path })).read(offset, never));
      expect(read.text).toBe(Buffer.from(text).subarray(offset).toString());
      expect(read.first).toBe(offset);
    }
  });

  it('unpacks gzip that is told by its first bytes, by several members, and when nothing is in it', async () => {
    const folder = await tempFolder();
    await writeFile(join(folder, 'in.log'), Buffer.concat([gzipSync('a\n'), gzipSync('b\n')]));
    expect((await collect((await openFile(folder, { path: 'in.log' })).read(0, never))).text).toBe('a\nb\n');
    await writeFile(join(folder, 'empty.gz'), '');
    expect((await collect((await openFile(folder, { path: 'empty.gz' })).read(0, never))).last).toBe('ended');
    const raw = await openFile(folder, { path: 'in.log', gzip: false });
    expect((await collect(raw.read(0, never))).text.length).toBeGreaterThan(4);
  });

  it('a file that ends in .gz but is not gzip is refused at once', async () => {
    const folder = await tempFolder();
    await writeFile(join(folder, 'in.gz'), '{}\n');
    await expect(openFile(folder, { path: 'in.gz' })).rejects.toThrow(
      'Node "flights" could not read the file "in.gz": its name ends in .gz but its bytes are not gzip. Replace the file, or set `gzip` to false',
    );
  });

  it('a gzip file that was cut off or damaged hands over what is whole, then says after how many bytes it stops', async () => {
    const folder = await tempFolder();
    const packed = gzipSync(lines(50_000));
    await writeFile(join(folder, 'cut.gz'), packed.subarray(0, packed.length >> 1));
    const cut = await openFile(folder, { path: 'cut.gz' });
    await expect(collect(cut.read(0, never))).rejects.toThrow(/after \d{5,} bytes: unexpected end of file/);
    packed.fill(0xff, packed.length >> 1, (packed.length >> 1) + 64);
    await writeFile(join(folder, 'damaged.gz'), packed);
    const damaged = await openFile(folder, { path: 'damaged.gz' });
    await expect(collect(damaged.read(0, never))).rejects.toThrow(/"damaged.gz": after \d+ bytes/);
  });

  it('a file shorter than what was already read stops the node, packed or not', async () => {
    const folder = await tempFolder();
    await writeFile(join(folder, 'in.jsonl'), '{"n":1}\n');
    await writeFile(join(folder, 'in.gz'), gzipSync('{"n":1}\n'));
    for (const path of ['in.jsonl', 'in.gz']) {
      const partition = await openFile(folder, { path });
      await expect(collect(partition.read(100, never))).rejects.toThrow(
        /100 bytes of it were already read, but it now holds only 8\. .*--fresh/,
      );
    }
  });

  it('a file that is swapped or shortened while it is read stops the node', async () => {
    const folder = await tempFolder();
    const path = join(folder, 'in.jsonl');
    await writeFile(path, lines(30_000));
    const partition = await openFile(folder, { path: 'in.jsonl' });
    const reading = partition.read(0, never)[Symbol.asyncIterator]();
    await reading.next();
    await truncate(path, 10);
    await expect(reading.next()).rejects.toThrow('it now holds only 10');
    await rename(path, `${path}.old`);
    await writeFile(path, lines(30_000));
    await expect(collect(partition.read(0, never))).rejects.toThrow('another file has taken its place');
  });

  it('Y5: a reading that begins while the last one still ends is not disturbed by it', async () => {
    const folder = await tempFolder();
    const text = lines(60_000);
    await writeFile(join(folder, 'in.jsonl'), text);
    await writeFile(join(folder, 'in.gz'), gzipSync(text));
    for (const path of ['in.jsonl', 'in.gz']) {
      const stop = new AbortController();
      const partition = await openFile(folder, { path });
      const old = partition.read(0, stop.signal)[Symbol.asyncIterator]();
      await old.next();
      const last = old.next();
      stop.abort();
      const next = collect(partition.read(300_000, never));
      await last;
      await old.return?.();
      expect((await next).text).toBe(Buffer.from(text).subarray(300_000).toString());
    }
  });

  it('ends quietly when it is told to stop', async () => {
    const folder = await tempFolder();
    await writeFile(join(folder, 'in.jsonl'), lines(60_000));
    await writeFile(join(folder, 'in.gz'), gzipSync(lines(60_000)));
    for (const path of ['in.jsonl', 'in.gz']) {
      const stop = new AbortController();
      const partition = await openFile(folder, { path });
      const reading = partition.read(0, stop.signal)[Symbol.asyncIterator]();
      expect((await reading.next()).done).toBe(false);
      stop.abort();
      const rest: string[] = [];
      for (let step = await reading.next(); !step.done; step = await reading.next())
        rest.push(step.value.kind);
      expect(rest).not.toContain('ended');
    }
  });
});

describe('paths of injector/file', () => {
  it.each([
    ['../secret', /leaves the pipeline's folder through "\.\."/],
    ['a/../../secret', /leaves the pipeline's folder/],
    ['a\\..\\..\\secret', /leaves the pipeline's folder/],
    ['link', /a link on the way leads out of the pipeline's folder/],
    ['linked/secret', /a link on the way leads out/],
    ['absent', /there is no such file\. Put the file there/],
    ['folder', /it is a folder\. Name a file/],
    ['.', /it is a folder/],
    ['pipe', /it is a pipe, socket or device/],
    ['ring', /its links go round in a circle/],
    ['in.jsonl/more', /a part of the path is a file/],
    ['zero\0byte', /zero byte/],
    ['/dev/zero', /it is a pipe, socket or device/],
    ['x'.repeat(300), /too long/],
  ])('%j is refused', async (path, message) => {
    const outside = await tempFolder();
    const folder = join(outside, 'pipeline');
    await mkdir(join(folder, 'folder'), { recursive: true });
    await writeFile(join(outside, 'secret'), 'secret');
    await writeFile(join(folder, 'in.jsonl'), '');
    await symlink('../secret', join(folder, 'link'));
    await symlink('..', join(folder, 'linked'));
    await symlink('ring', join(folder, 'ring'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    await expect(openFile(folder, { path })).rejects.toThrow(message);
    await expect(openFile(folder, { path })).rejects.toThrow(/^Node "flights" could not read the file "/);
  });

  it('an absolute path and a link that stays inside are read', async () => {
    const outside = await tempFolder();
    const folder = join(outside, 'pipeline');
    await mkdir(folder);
    await writeFile(join(outside, 'data'), 'x\n');
    await writeFile(join(folder, 'inside'), 'y\n');
    await symlink('inside', join(folder, 'link'));
    expect(
      (await collect((await openFile(folder, { path: join(outside, 'data') })).read(0, never))).text,
    ).toBe('x\n');
    expect((await collect((await openFile(folder, { path: 'link' })).read(0, never))).text).toBe('y\n');
    await rm(join(folder, 'inside'));
    await expect(openFile(folder, { path: 'link' })).rejects.toThrow('no such file');
  });

  it('G3: settings that are wrong are all told at once', async () => {
    const opening = openFile('/', {
      path: '',
      format: 'xml',
      slack: 'soon',
      delimiter: ';',
      extra: 1,
      zone: 'Mars',
    });
    await expect(opening).rejects.toThrow(
      /config\.path: .*config\.format: .*config\.zone: .*config\.slack: .*extra/,
    );
  });
});
