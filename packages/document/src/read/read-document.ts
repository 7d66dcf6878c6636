/**
 * Reads a draft. Total: a document made of any bytes a peer can send gives a graph and a list of what is wrong.
 * Never `toJSON`: its objects would have the prototype a hostile key names.
 */
import type { Issue, Pipeline } from '@millrace/graph';
import * as Y from 'yjs';
import { isFileOfPipeline } from '../folder/file-paths.ts';
import type { Roots } from '../shape/roots.ts';
import { codeOf, fieldsOf } from '../shape/roots.ts';
import { text } from './entity.ts';
import { soundLayout, soundStreams, uniqueCodePaths, uniqueFiles, uniqueNames } from './normalise.ts';
import { error, shown } from './problem.ts';
import {
  readGroup,
  readNode,
  readNote,
  readParameter,
  readPlacement,
  readSharedFile,
  readStream,
  readStreamName,
} from './read-entities.ts';
import type { Layout, Reading, SharedFile, StreamWords } from './reading.ts';
import { viewTable } from './table-view.ts';

export interface Reader {
  /** The same object until the document changes. */
  readonly read: () => Reading;
  /** Tells when `read` may give something else; typing does not. Hands back what ends it. */
  readonly subscribe: (listener: () => void) => () => void;
  readonly close: () => void;
}

export function openReader(roots: Roots): Reader {
  const views = viewsOf(roots);
  const steps = stepsOf(roots, views);
  let reading: Reading | undefined;
  const listeners = new Set<() => void>();
  const forget = ({ changed }: Y.Transaction): void => {
    if (![...changed.keys()].some((type) => !(type instanceof Y.Text))) return;
    reading = undefined;
    for (const listener of listeners) listener();
  };
  roots.doc.on('afterTransaction', forget);
  return {
    read: () => {
      reading ??= assemble(roots, views, steps);
      return reading;
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => {
      listeners.clear();
      roots.doc.off('afterTransaction', forget);
      for (const view of Object.values(views)) view.close();
    },
  };
}

type Views = ReturnType<typeof viewsOf>;

function viewsOf({ tables }: Roots) {
  return {
    nodes: viewTable('nodes', tables.nodes, readNode),
    streams: viewTable('streams', tables.streams, readStream),
    parameters: viewTable('parameters', tables.parameters, readParameter),
    files: viewTable('files', tables.files, readSharedFile),
    layout: viewTable('layout', tables.layout, readPlacement),
    notes: viewTable('notes', tables.notes, readNote),
    groups: viewTable('groups', tables.groups, readGroup),
  };
}

/** Steps that need not be taken again while what they read is the same. */
interface Steps {
  readonly nodes: (live: Nodes) => Sound<Nodes>;
  readonly streams: (live: Streams, nodes: Nodes) => Sound<Streams>;
  readonly files: (live: Files, nodes: Nodes) => Sound<Files>;
  readonly names: (live: Streams) => Sound<Layout['streams']>;
  readonly layout: (
    ...live: [Layout['nodes'], Layout['notes'], Layout['groups'], Layout['streams'], Nodes]
  ) => Layout;
}

type Nodes = Pipeline['nodes'];
type Streams = Pipeline['streams'];
type Files = Reading['files'];

interface Sound<T> {
  readonly value: T;
  readonly problems: readonly Issue[];
}

function stepsOf(roots: Roots, views: Views): Steps {
  return {
    nodes: remember((live) => soundly((problems) => uniqueCodePaths(uniqueNames(live, problems), problems))),
    // Streams look at deleted nodes too; the live ones are anew whenever one of those changes.
    streams: remember((live, _) =>
      soundly((problems) => soundStreams(live, views.nodes.isDeleted, problems)),
    ),
    files: remember((live, nodes) =>
      soundly((problems) => uniqueFiles(knownFiles(live, problems), nodes, problems)),
    ),
    names: remember((live) => soundly((problems) => streamNames(roots, live, problems))),
    layout: remember((nodes, notes, groups, streams, live) =>
      soundLayout({ nodes, notes, groups, streams }, live),
    ),
  };
}

function soundly<T>(work: (problems: Issue[]) => T): Sound<T> {
  const problems: Issue[] = [];
  return { value: work(problems), problems };
}

function remember<A extends readonly unknown[], R>(work: (...given: A) => R): (...given: A) => R {
  let last: { readonly given: A; readonly result: R } | undefined;
  return (...given) => {
    if (last === undefined || given.some((one, i) => one !== last?.given[i])) {
      last = { given, result: work(...given) };
    }
    return last.result;
  };
}

function assemble(roots: Roots, views: Views, steps: Steps): Reading {
  const live = views.nodes.live();
  const nodes = steps.nodes(live);
  const streams = steps.streams(views.streams.live(), live);
  const files = steps.files(views.files.live(), nodes.value);
  const names = steps.names(streams.value);
  const problems: Issue[] = [];
  for (const view of Object.values(views)) problems.push(...view.problems());
  for (const step of [nodes, streams, files, names]) problems.push(...step.problems);
  missingCode(roots, nodes.value, problems);
  const layout = steps.layout(
    views.layout.live(),
    views.notes.live(),
    views.groups.live(),
    names.value,
    nodes.value,
  );
  const pipeline: Pipeline = {
    ...settings(roots, problems),
    nodes: nodes.value,
    streams: streams.value,
    parameters: views.parameters.live(),
  };
  return { pipeline, layout, files: files.value, problems };
}

function settings(roots: Roots, problems: Issue[]): Pick<Pipeline, 'id' | 'name'> {
  const entity = { id: '', fields: roots.settings, about: { path: 'settings' }, problems };
  return { id: text(entity, 'id'), name: text(entity, 'name') ?? '' };
}

function streamNames(roots: Roots, live: Streams, problems: Issue[]): Layout['streams'] {
  const names = new Map<string, StreamWords>();
  for (const id of live.keys()) {
    const fields = fieldsOf(roots, 'streams', id);
    if (fields?.has('name') !== true) continue;
    const name = readStreamName({ id, fields, about: { path: `streams.${id}`, stream: id }, problems });
    if (name !== undefined) names.set(id, { name });
  }
  return names;
}

function knownFiles(files: ReadonlyMap<string, SharedFile>, problems: Issue[]): Map<string, SharedFile> {
  const known = new Map<string, SharedFile>();
  for (const [id, file] of files) {
    if (isFileOfPipeline(file.path)) known.set(id, file);
    else {
      const message = `${shown(file.path)} is no path of a pipeline's file; rename it to lib/<name>.ts`;
      problems.push(error('bad-path', { path: `files.${id.slice(0, 80)}.path` }, message));
    }
  }
  return known;
}

function missingCode(roots: Roots, nodes: Pipeline['nodes'], problems: Issue[]): void {
  for (const node of nodes.values()) {
    if (node.type !== 'code' || codeOf(roots, node.id) !== undefined) continue;
    const about = { path: `nodes.${node.id}.code`, node: node.id };
    problems.push(
      error('missing-code', about, `the code of ${shown(node.name)} is not there; write it anew`),
    );
  }
}
