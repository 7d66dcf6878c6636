import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openProductStore } from './open-product-store.ts';

test('a data folder that is misspelt is told, and does not become a database', async () => {
  const root = mkdtempSync(join(tmpdir(), 'millrace-data-'));
  const misspelt = join(root, 'misspelt');
  try {
    await expect(openProductStore(misspelt)).rejects.toThrow(/No server kept its data in .*--data/);
    expect(existsSync(misspelt)).toBe(false);
  } finally {
    rmSync(root, { recursive: true });
  }
});
