import { defineConfig } from 'vitest/config';

const conditions = ['millrace-source', 'module', 'node', 'default'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['{packages,apps}/*/{src,test}/**/*.test.ts', 'scripts/**/*.test.mjs', 'e2e/**/*.test.ts'],
    testTimeout: 180_000,
    // What is waited for comes when it comes: a busy machine is no failure.
    expect: { poll: { timeout: 40_000 } },
    hookTimeout: 180_000,
    pool: 'forks',
    maxWorkers: 2,
  },
});
