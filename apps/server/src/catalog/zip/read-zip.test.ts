import { deflateRawSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { type MadeEntry, type MadeZip, makeZip } from '../../testing/make-zip.ts';
import { readZip, ZIP_LIMITS } from './read-zip.ts';
import { writeZip } from './write-zip.ts';

const pipeline = { name: 'pipeline.json', text: '{}' };
const read = (entries: readonly MadeEntry[], more?: MadeZip) => readZip(makeZip(entries, more));

/** The codes of what is wrong; `[]` when it was read. */
async function refusal(entries: readonly MadeEntry[], more?: MadeZip): Promise<string[]> {
  const content = await read(entries, more);
  return content.kind === 'refused' ? content.faults.map(({ code }) => code) : [];
}

describe('an archive', () => {
  test('of this product and of others is read, stored and deflated', async () => {
    const files = new Map([
      ['pipeline.json', '{"name":"🚕"}'],
      ['nodes/größe.ts', 'export {};\n'],
      ['lib/deep/x.ts', ''],
      ['tests/a.json', '[]'],
    ]);
    expect(await readZip(writeZip(files))).toEqual({ kind: 'files', files });
    const stored = [...files].map(([name, text]) => ({ name, text, stored: true, mode: 0o100644 }));
    expect(await read([{ name: 'nodes/', mode: 0o040755 }, ...stored])).toEqual({ kind: 'files', files });
  });

  test('is the same bytes for the same files', () => {
    const [a, b] = [
      ['nodes/a.ts', 'a'],
      ['pipeline.json', '{}'],
    ] as const;
    expect(writeZip(new Map([a, b]))).toEqual(writeZip(new Map([b, a])));
  });

  test('may hold the folder itself', async () => {
    const inside = [
      { name: 'my pipeline/' },
      { ...pipeline, name: 'my pipeline/pipeline.json' },
      { name: 'my pipeline/nodes/a.ts', text: 'a' },
    ];
    expect(await read(inside)).toMatchObject({
      files: new Map([
        ['pipeline.json', '{}'],
        ['nodes/a.ts', 'a'],
      ]),
    });
    expect(await refusal([...inside, { name: 'other/x.ts' }])).toContain('not-of-a-pipeline');
  });

  test('with a path that leads elsewhere is refused', async () => {
    const tricks = [
      '../evil.ts',
      'nodes/../../evil.ts',
      '..',
      '/etc/passwd',
      'C:/evil.ts',
      'c:evil.ts',
      'nodes\\evil.ts',
      '..\\evil.ts',
      'nodes/evil.ts\0.ts',
      '//host/share.ts',
    ];
    for (const name of tricks) expect([name, await refusal([pipeline, { name }])]).toEqual([name, ['path']]);
    expect(await refusal([pipeline, { name: '../evil/' }])).toEqual(['path']);
  });

  test('with anything that is not of a pipeline is refused, by its name', async () => {
    for (const name of [
      'README.md',
      '.env',
      'nodes/a.js',
      'nodes/.hidden.ts',
      'data/x.json',
      'nodes//a.ts',
      './x.ts',
      'nodes/a.d.ts',
    ]) {
      const content = await read([pipeline, { name }]);
      expect(content).toMatchObject({ kind: 'refused', faults: [{ code: 'not-of-a-pipeline' }] });
      expect(JSON.stringify(content)).toContain(name.split('/').at(-1));
    }
  });

  test('names in messages hold nothing a terminal or a page obeys', async () => {
    const content = await read([pipeline, { name: 'a\u001b[31m\u202egpj.exe\n' }]);
    expect(content).toMatchObject({ kind: 'refused', faults: [{}] });
    if (content.kind === 'refused') expect(content.faults[0]?.message).not.toMatch(/[\p{Cc}\u202e]/u);
  });

  test('with two entries of one name, or of names that differ in case, is refused', async () => {
    for (const [a, b] of [
      ['nodes/a.ts', 'nodes/a.ts'],
      ['nodes/a.ts', 'nodes/A.ts'],
      ['nodes/é.ts', 'nodes/e\u0301.ts'],
      ['lib/a.ts', 'lib/a.ts/b.ts'],
      ['lib/A.ts/b.ts', 'lib/a.ts'],
    ] as const)
      expect(await refusal([pipeline, { name: a }, { name: b }])).toEqual(['collision']);
  });

  test('with a link, a device or a socket is refused', async () => {
    for (const mode of [0o120777, 0o060644, 0o010644, 0o140644])
      expect(await refusal([pipeline, { name: 'nodes/a.ts', text: '/etc/passwd', mode }])).toEqual(['link']);
  });

  test('that says another name in its directory than in front of the entry is refused', async () => {
    expect(await refusal([pipeline, { name: 'nodes/a.ts', localName: 'nodes/b.ts' }])).toEqual([
      'broken-zip',
    ]);
  });

  test('whose entries share bytes, hide something or lie outside is refused', async () => {
    expect(await refusal([pipeline, { ...pipeline, offset: 0 }])).toContain('overlap');
    expect(await refusal([pipeline, { name: 'nodes/a.ts', offset: 1 << 30 }])).toEqual(['broken-zip']);
    expect(await refusal([pipeline], { behind: new Uint8Array(3) })).toEqual(['not-a-zip']);
    expect(await refusal([pipeline], { count: 0 })).toEqual(['broken-zip']);
    expect(await refusal([pipeline], { count: 2 })).toEqual(['broken-zip']);
    expect(await refusal([pipeline], { count: 0xffff })).toEqual(['zip64']);
  });

  test('that is encrypted or packed in another way is refused', async () => {
    expect(await refusal([{ ...pipeline, flags: 1 }])).toEqual(['encrypted']);
    expect(await refusal([{ ...pipeline, method: 12 }])).toEqual(['method']);
  });

  test('with a name or a text that is not UTF-8 is refused', async () => {
    const latin = Buffer.from('nodes/gr\xf6\xdfe.ts', 'latin1');
    expect(await refusal([pipeline, { name: latin }])).toEqual(['name']);
    expect(await refusal([pipeline, { name: latin, flags: 0 }])).toEqual(['name']);
    expect(await refusal([pipeline, { name: 'nodes/a.ts', text: Buffer.from([0xff, 0xfe]) }])).toEqual([
      'not-text',
    ]);
  });

  test('that is damaged, or cut short anywhere, is refused', async () => {
    expect(await refusal([{ ...pipeline, crc: 1 }])).toEqual(['broken-zip']);
    expect(await refusal([{ ...pipeline, packed: new Uint8Array([7]) }])).toEqual(['broken-zip']);
    const whole = makeZip([pipeline, { name: 'nodes/a.ts', text: 'a' }]);
    for (let length = 0; length < whole.length; length++)
      expect((await readZip(whole.subarray(0, length))).kind).toBe('refused');
  });

  test('with any byte changed never gives other files than it was made of', async () => {
    const files = new Map([
      ['pipeline.json', '{}'],
      ['nodes/a.ts', 'export {};'],
    ]);
    const whole = writeZip(files);
    for (let at = 0; at < whole.length; at++) {
      const changed = Uint8Array.from(whole);
      changed[at]! ^= 0x41;
      const content = await readZip(changed);
      if (content.kind === 'files')
        for (const [path, text] of content.files) expect(files.get(path)).toBe(text);
    }
  });

  test('never unpacks an entry beyond what it claims, nor takes a claim beyond the limits', async () => {
    const bomb = deflateRawSync(Buffer.alloc(64 << 20));
    const small = { name: 'nodes/a.ts', packed: bomb, size: 100 };
    const before = process.memoryUsage().arrayBuffers;
    expect(await refusal([pipeline, small])).toEqual(['too-large']);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 << 20);
    expect(await refusal([pipeline, { ...small, size: 64 << 20 }])).toContain('too-large');
    expect(await refusal([pipeline, { ...small, size: ZIP_LIMITS.entryBytes }])).toEqual(['too-large']);
  });

  test('with too many entries, or too much in all, is refused before anything is unpacked', async () => {
    const many = Array.from({ length: ZIP_LIMITS.entries + 1 }, (_, at) => ({ name: `lib/${at}.ts` }));
    expect(await refusal(many)).toEqual(['too-many-entries']);
    const noise = Buffer.from(Array.from({ length: 1 << 19 }, (_, at) => 32 + ((at * at) % 90)));
    const large = Array.from({ length: 5 }, (_, at) => ({
      name: `lib/${at}.ts`,
      text: noise,
      size: ZIP_LIMITS.entryBytes,
      stored: false,
    }));
    expect(await refusal([pipeline, ...large])).toContain('too-large');
  });

  test('of another program with a comment and folders is read', async () => {
    const other = zipSync(
      { 'pipeline.json': new TextEncoder().encode('{}'), nodes: {} },
      { comment: 'made by hand' },
    );
    expect(await readZip(other)).toMatchObject({ kind: 'files' });
  });
});
