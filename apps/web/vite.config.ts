import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { precompress } from './build/precompress.ts';

/** `npm run dev` says where the server is that answers everything but the page. */
const server = process.env.MILLRACE_DEV_SERVER ?? 'http://127.0.0.1:4780';

export default defineConfig({
  plugins: [react(), precompress()],
  resolve: {
    // Our own packages are read from their source: one build, one reload, no stale bundle.
    conditions: ['millrace-source', 'module', 'browser', 'development|production'],
    alias: {
      // y-monaco asks for Monaco by a path that Monaco no longer has.
      'monaco-editor/esm/vs/editor/editor.api.js': 'monaco-editor/editor',
      // One TypeScript in the page: the one that Monaco brings.
      'typescript-js': fileURLToPath(new URL('src/editor/code/worker/typescript.ts', import.meta.url)),
    },
  },
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    // For the test of the first view's size.
    manifest: true,
    chunkSizeWarningLimit: 10_000,
    reportCompressedSize: false,
  },
  worker: { format: 'es' },
  server: {
    strictPort: true,
    proxy: {
      '/api': { target: server },
      '/socket': { target: server, ws: true },
      '/healthz': { target: server },
    },
  },
});
