// Checks and builds the samples that the server seeds, into dist/samples.json of the package in whose folder this
// runs, and puts their data beside it: nobody waits for a type check when the product starts. Templates lie beside
// them in dist/templates.json: only what somebody begins with is built, when it is deployed.
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { eventLine, nexmarkEvents } from '@millrace/bench';
import { checkFolder, readCompilerVersion } from '@millrace/compiler';
import { connectorSpecs } from '@millrace/connectors';
import { buildVersion } from '@millrace/deployment';
import { hasErrors, nodeTypes, readFolder, writeFolder } from '@millrace/graph';
import { packageFile } from '../samples/package-file.mjs';
import { root } from './lib/root.mjs';

const types = nodeTypes(connectorSpecs);
const listed = JSON.parse(readFileSync(join(root, 'samples/samples.json'), 'utf8'));
const samples = [];
for (const sample of listed) samples.push(await buildSample(sample));
mkdirSync('dist', { recursive: true });
writeFileSync('dist/samples.json', JSON.stringify(samples));
writeFileSync('dist/templates.json', JSON.stringify(nexmarkTemplates()));

async function buildSample({ name, description, tags, runs = false, data = {} }) {
  const folder = readFolder(filesOf(join(root, 'samples', name)));
  const issues = await checkFolder(folder, types);
  if (hasErrors(issues)) fail(name, issues);
  const built = await buildVersion({ folder, types }, new Map());
  if ('issues' in built) fail(name, built.issues);
  const { id, name: title } = folder.pipeline;
  const files = [...writeFolder(folder.pipeline, folder.files)];
  const made = {
    ...{ name, title, description, tags, runs, id, files },
    version: built.stored,
    compilerVersion: readCompilerVersion(),
    data: Object.entries(data).map(([path, source]) => copyData(name, path, source)),
  };
  return { ...made, contentHash: createHash('sha256').update(JSON.stringify(made)).digest('hex') };
}

/** That they have no issues is a test of the queries: checking each takes longer than all else here. */
function nexmarkTemplates() {
  const { group, about, templates } = JSON.parse(
    readFileSync(join(root, 'samples/nexmark/templates.json'), 'utf8'),
  );
  const file = 'samples/nexmark/events.jsonl';
  mkdirSync(join('dist', dirname(file)), { recursive: true });
  const events = nexmarkEvents({ count: 10_000, rate: 100, channels: true });
  writeFileSync(join('dist', file), Array.from(events, (event) => `${eventLine(event)}\n`).join(''));
  return Object.entries(templates).map(([query, { description, tags }]) => {
    const { pipeline, files } = readFolder(filesOf(join(root, 'samples/nexmark', query)));
    return {
      ...{ name: `nexmark-${query}`, title: pipeline.name, description, tags: ['nexmark', ...tags] },
      ...{ group, about, files: [...writeFolder(pipeline, files)] },
      data: [{ path: 'events.jsonl', file }],
    };
  });
}

function filesOf(folder) {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(json|ts)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => /^(pipeline\.json|layout\.json|(nodes|lib|tests)\/)/.test(path));
  return new Map(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}

/** `source` is a file of a package, `name/path`. */
function copyData(sample, path, source) {
  const [owner, ...rest] = source.split('/');
  const target = join('dist/samples', sample, path);
  if (!existsSync(dirname(target))) mkdirSync(dirname(target), { recursive: true });
  copyFileSync(packageFile(owner, rest.join('/')), target);
  return { path, file: `samples/${sample}/${path}` };
}

function fail(name, issues) {
  for (const { file, line, column, message } of issues)
    console.error(`samples/${name}/${file}:${line}:${column}: ${message}`);
  process.exit(1);
}
