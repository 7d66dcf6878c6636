import { unzipSync } from 'fflate';
import { expect, it } from 'vitest';
import { folderArchive } from './folder-archive.ts';

const file = (webkitRelativePath: string, text = 'x') => ({
  webkitRelativePath,
  arrayBuffer: async () => new TextEncoder().encode(text).buffer,
});

it('of a folder that holds more than a pipeline only the pipeline is sent', async () => {
  const archive = await folderArchive([
    file('counts/pipeline.json', '{}'),
    file('counts/nodes/count.ts', 'export {}'),
    file('counts/.git/config'),
    file('counts/node_modules/a/index.js'),
    file('counts/data.csv'),
  ]);
  const found = unzipSync(new Uint8Array((await archive?.arrayBuffer()) ?? new ArrayBuffer(0)));
  expect(Object.keys(found).sort()).toEqual(['nodes/count.ts', 'pipeline.json']);
  expect(new TextDecoder().decode(found['nodes/count.ts'])).toBe('export {}');
});

it('a folder without a pipeline is none', async () => {
  expect(await folderArchive([file('photos/pipeline.txt')])).toBeUndefined();
});
