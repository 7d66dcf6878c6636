/**
 * `docs/operators.md` is what people learn the operators from: each example is checked, run as the form says it and as the
 * code it becomes, and gives what stands behind its arrows. `UPDATE_PAGE=1` writes that anew, to be read over.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { builtInTypes, compilePlan, type PipelineFolder, readFolder, type Settings } from '@millrace/graph';
import type { Computation, Pane } from '@millrace/sdk';
import { harness } from '@millrace/sdk/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Editable, types } from '../test/fixture.ts';
import { buildBundle } from './build-bundle.ts';
import { checkFolder } from './check-folder.ts';
import { operatorCode } from './layout/index.ts';
import type { PipelineCode } from './pipeline-code.ts';

const PAGE = new URL('../../../docs/operators.md', import.meta.url);

interface Example {
  readonly id: string;
  readonly node: { readonly type: string; readonly config: Settings };
  /** TypeScript of the values, by input. */
  readonly inputs: ReadonlyMap<string, string>;
  readonly head: string;
  /** What happens, and what comes of it. */
  readonly lines: readonly string[];
}

function examplesOf(page: string): Example[] {
  return [...page.matchAll(/^```example\n([\s\S]*?)^```$/gm)].map(([, text = ''], i) => {
    const [ports = '', node = '', run = ''] = text.split(/\n\n/);
    return {
      id: `n_${i}`,
      node: JSON.parse(node) as Example['node'],
      inputs: new Map(ports.split('\n').map((line) => line.split(/: (.*)/s) as [string, string])),
      head: `${ports}\n\n${node}\n\n`,
      lines: run.trimEnd().split('\n'),
    };
  });
}

const page = readFileSync(PAGE, 'utf8');
const examples = examplesOf(page);

function folder(asCode: boolean): PipelineFolder {
  const nodes: Editable = { n_out: { type: 'sink/discard', name: 'out' } };
  const streams: Editable = {};
  const files = new Map<string, string>();
  for (const { id, node, inputs } of examples) {
    const code = `nodes/op${id}.ts`;
    nodes[id] = { name: id, ...(asCode ? { type: 'code', code } : node) };
    if (asCode) files.set(code, operatorCode({ id, type: node.type }, node.config) ?? '');
    for (const [port, type] of inputs) {
      const isTable = node.type === 'operator/lookup' && port === 'right';
      const config = { path: 'x', format: 'jsonl', type };
      const source = `${id}${port}`;
      nodes[source] = { type: isTable ? 'injector/file-table' : 'injector/file', name: source, config };
      streams[`s_${source}`] = { from: [source, 'out'], to: [id, port] };
    }
    streams[`s_${id}`] = { from: [id, 'out'], to: ['n_out', 'in'] };
  }
  files.set('pipeline.json', JSON.stringify({ format: 1, name: 'x', nodes, streams }, null, 2));
  return readFolder(files);
}

async function built(asCode: boolean): Promise<PipelineCode> {
  const given = folder(asCode);
  const bundle = await buildBundle(given, compilePlan(given.pipeline, types, {}), { inProcess: true });
  if (bundle.kind !== 'built') throw new Error(JSON.stringify(bundle.issues));
  const url = `data:text/javascript;base64,${Buffer.from(bundle.code).toString('base64')}`;
  return ((await import(/* @vite-ignore */ url)) as { default: PipelineCode }).default;
}

const DAY = Date.UTC(2026, 0, 15);
const timeOf = (text: string): number => Date.parse(`2026-01-15T${text}Z`);
/** As short as it is exact; what is not of the day of the examples has its date. */
function spelt(time: number): string {
  const iso = new Date(time).toISOString().replace('.000Z', '').replace('Z', '');
  return Math.floor(time / 86_400_000) * 86_400_000 === DAY ? iso.slice(11) : iso;
}

function spellPane({ start, end, timing, index, last, retracts }: Pane): string {
  const how = `${timing}${index === 0 ? '' : ` ${index + 1}`}${last ? ', last' : ''}`;
  return ` in ${spelt(start)}–${spelt(end)} ${how}${retracts ? ', taken back' : ''}`;
}

/** The lines of an example, with what comes out behind each. */
function played({ node, lines, id }: Example, { nodes }: PipelineCode): { lines: string[]; keys: number } {
  const run = harness(nodes[id] as Computation<Record<string, unknown>, object>);
  run.wall(DAY);
  const told: string[] = [];
  let seen = 0;
  for (const line of lines.filter((each) => !each.includes('→'))) {
    told.push(line);
    const [, what = '', rest = ''] = /^(\S+) (.*)$/.exec(line) ?? [];
    if (what === 'watermark') run.watermark(timeOf(rest));
    else if (what === 'wall') run.wall(timeOf(rest));
    else {
      const [, key, value, at, start, end] =
        /^(\S+) (.*) ([\d:.]+)(?: for ([\d:.]+)–([\d:.]+))?$/.exec(rest) ?? [];
      const pane =
        start === undefined
          ? {}
          : {
              pane: {
                ...{ start: timeOf(start), end: timeOf(end ?? '') },
                ...{ index: 0, timing: 'on-time' as const, last: true },
              },
            };
      run.record({
        ...{ stream: what, key: key === '-' ? '' : (key ?? ''), value: JSON.parse(value ?? '') as unknown },
        ...{ timestamp: timeOf(at ?? ''), ...pane },
      });
    }
    for (const event of run.trace().slice(seen)) {
      if (event.kind !== 'output') continue;
      const { key, value, timestamp, pane } = event.record;
      const shown = pane === undefined || node.type === 'operator/lookup' ? '' : spellPane(pane);
      told.push(
        `  → ${event.stream} ${key === '' ? '-' : key} ${JSON.stringify(value)} ${spelt(timestamp)}${shown}`,
      );
    }
    seen = run.trace().length;
  }
  run.end();
  return { lines: told, keys: run.keys().length };
}

/** What these keep of a key they keep for ever. */
const LASTING = ['operator/runningReduce', 'operator/table', 'operator/tableJoin'];

describe('docs/operators.md', () => {
  let forms: PipelineCode;
  let codes: PipelineCode;
  beforeAll(async () => {
    forms = await built(false);
    codes = await built(true);
    if (process.env.UPDATE_PAGE === undefined) return;
    let i = 0;
    const anew = page.replace(/^```example\n[\s\S]*?^```$/gm, () => {
      const example = examples[i++] as Example;
      return `\`\`\`example\n${example.head}${played(example, forms).lines.join('\n')}\n\`\`\``;
    });
    writeFileSync(PAGE, anew);
  });

  it('has an example of every operator', () => {
    const operators = builtInTypes.map(({ type }) => type).filter((type) => type.startsWith('operator/'));
    expect([...new Set(examples.map(({ node }) => node.type))].sort()).toEqual(operators.sort());
  });

  it('has no issue in any of them, as form and as code', async () => {
    for (const asCode of [false, true])
      expect(await checkFolder(folder(asCode), types, { inProcess: true })).toEqual([]);
  });

  it.each(examples)(
    '$node.type ($id) gives what stands there, as form and as code, and keeps no key',
    (example) => {
      for (const code of [forms, codes]) {
        const { lines, keys } = played(example, code);
        expect(lines).toEqual(example.lines);
        if (!LASTING.includes(example.node.type)) expect(keys).toBe(0);
      }
    },
  );
});
