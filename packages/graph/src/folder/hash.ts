/** SHA-256 of a folder in canonical form, lower-case hex. */
import { fileRole, type PipelineFiles } from './files.ts';

/** Everything a version is made of. */
export function hashFolder(canonical: PipelineFiles): Promise<string> {
  return hashFiles([...canonical]);
}

/** What an engine runs: graph and code. Moving a node on the canvas or adding a test changes nothing here. */
export function hashProgram(canonical: PipelineFiles): Promise<string> {
  const roles = new Set(['pipeline', 'node', 'lib']);
  return hashFiles([...canonical].filter(([path]) => roles.has(fileRole(path) ?? '')));
}

async function hashFiles(files: readonly (readonly [string, string])[]): Promise<string> {
  const sorted = [...files].sort(([a], [b]) => (a < b ? -1 : 1));
  // Lengths in front, so that no two folders spell the same bytes.
  const text = sorted.map(([path, body]) => `${path.length}:${path}${body.length}:${body}`).join('');
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
