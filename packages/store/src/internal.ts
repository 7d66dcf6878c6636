/** Test seam: what tests of this repository use beyond the public face. */
export type { Faults } from './pipeline/opened.ts';
export { EmbeddedServer } from './postgres/server.ts';
