import { readFileSync } from 'node:fs';
import { connectorSpecs } from '@millrace/connectors';
import { nodeTypes } from '@millrace/graph';
import { expect, it } from 'vitest';
import { parseCommandLine } from '../command-line.ts';
import { recordingTerminal } from '../testing/recording-terminal.ts';
import { sampleFolder } from '../testing/sample-folder.ts';
import { runCommand } from './run-command-line.ts';

/** `docs/pipelines.md` is what people copy from. */
const page = readFileSync(new URL('../../../../docs/pipelines.md', import.meta.url), 'utf8');

it('the pipeline in docs/pipelines.md has no issues', async () => {
  const indented = /^ {4}\{\n[\s\S]*?\n {4}\}$/m.exec(page)?.[0] ?? '';
  const folder = sampleFolder();
  folder.write('pipeline.json', indented.replace(/^ {4}/gm, ''));
  const terminal = recordingTerminal();
  try {
    await runCommand(parseCommandLine(['check', folder.path]), terminal);
  } finally {
    folder.remove();
  }
  expect(terminal.written.stdout.join('')).not.toContain('error');
});

it('docs/pipelines.md names every node type', () => {
  for (const type of nodeTypes(connectorSpecs).keys()) expect(page).toContain(`\`${type}\``);
});
