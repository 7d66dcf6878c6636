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
    // y-monaco asks for Monaco by a path that Monaco no longer has.
    alias: { 'monaco-editor/esm/vs/editor/editor.api.js': 'monaco-editor/editor' },
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
