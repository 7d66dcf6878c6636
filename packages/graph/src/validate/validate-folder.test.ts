import { describe, expect, it } from 'vitest';
import { flights, folderOf, types } from '../../test/fixture.ts';
import type { Issue } from '../issue.ts';
import { readFolder } from '../read/read-folder.ts';
import { validateFolder } from './validate-folder.ts';

function issuesOf(pipeline: unknown): readonly Issue[] {
  return validateFolder(readFolder(folderOf(pipeline)), types);
}

function changed(change: (pipeline: ReturnType<typeof flights>) => void): readonly Issue[] {
  const pipeline = flights();
  change(pipeline);
  return issuesOf(pipeline);
}

const codes = (issues: readonly Issue[]): string[] => issues.map((issue) => issue.code);

describe('validateFolder', () => {
  it('G3: a sound pipeline has no issue', () => {
    expect(issuesOf(flights())).toEqual([]);
  });

  it('G3: a cycle is an issue that names its nodes', () => {
    const issues = changed((p) => {
      p.nodes.n_back = { type: 'operator/union', name: 'back' };
      Object.assign(p.streams as object, {
        s_3: { from: ['n_count', 'counts'], to: ['n_back', 'in'] },
        s_4: { from: ['n_back', 'out'], to: ['n_count', 'again'] },
      });
    });
    expect(codes(issues)).toEqual(['cycle']);
    expect(issues[0]?.message).toContain("'back' (n_back) -> 'count by hour' (n_count) -> 'back' (n_back)");
  });

  it('G3: a node wired to itself is a cycle', () => {
    const issues = changed((p) => {
      Object.assign(p.streams as object, { s_3: { from: ['n_count', 'counts'], to: ['n_count', 'again'] } });
    });
    expect(codes(issues)).toEqual(['cycle']);
  });

  it('G3: an unknown format version says what to do and nothing else is guessed', () => {
    const issues = changed((p) => {
      p.format = 7;
      p.nodes = {};
    });
    expect(codes(issues)).toEqual(['unknown-format']);
    expect(issues[0]?.message).toBe(
      'this version of Millrace reads format 1, this pipeline has format 7; upgrade Millrace to read it',
    );
  });

  it('G3: all issues come at once, each with node, path and place', () => {
    const text = `{
  "format": 1,
  "name": "x",
  "nodes": {
    "n_a": { "type": "injector/fiel", "name": "a" },
    "n_b": { "type": "injector/file", "name": "b", "config": { "path": 7, "formt": "jsonl" } },
    "n_c": { "type": "code", "name": "b", "code": "nodes/../../etc/passwd.ts" },
    "n_d": { "type": "sink/file", "name": "d", "config": { "path": "out" }, "productions": "loose" }
  },
  "streams": {
    "s_1": { "from": ["n_bb", "out"], "to": ["n_c", "x"] },
    "s_2": { "from": ["n_b", "outt"], "to": ["n_c", "x"], "keyby": "value.a" },
    "s_3": { "from": ["n_d", "out"], "to": ["n_b", "in"] }
  }
}`;
    const issues = issuesOf(text).map((i) => `${i.line}:${i.column} ${i.code} ${i.node ?? i.stream ?? ''}`);
    expect(issues).toEqual([
      '4:12 unused-code ',
      '5:22 unknown-type n_a',
      '6:62 missing-setting n_b',
      '6:72 setting n_b',
      '6:75 setting n_b',
      '7:38 duplicate-name n_c',
      '7:51 code-path n_c',
      '8:5 missing-input n_d',
      '8:92 wrong-field n_d',
      '11:23 unknown-node s_1',
      '12:30 unknown-port n_b',
      '12:59 unknown-field s_2',
      '13:22 from-sink n_d',
      '13:44 to-injector n_b',
    ]);
  });

  it('G3: every bad code path is refused with its reason', () => {
    for (const [path, reason] of [
      ['../x.ts', "leaves the folder with '..'"],
      ['nodes/../../x.ts', "leaves the folder with '..'"],
      ['/etc/x.ts', 'is absolute'],
      ['C:/x.ts', 'is absolute'],
      ['nodes\\x.ts', 'uses a backslash'],
      ['lib/x.ts', 'is not of the form nodes/<name>.ts'],
      ['nodes/x.d.ts', 'is not of the form nodes/<name>.ts'],
      ['nodes/.x.ts', 'is not of the form nodes/<name>.ts'],
    ] as const) {
      const issue = changed((p) => {
        Object.assign(p.nodes.n_count as object, { code: path });
      }).find(({ code }) => code === 'code-path');
      expect(issue?.message, path).toContain(reason);
    }
  });

  it('G3: dangling inputs, needless code, shared code and streams drawn twice are issues', () => {
    const issues = changed((p) => {
      p.nodes.n_lone = { type: 'operator/filter', name: 'lone', config: { expression: 'true' }, code: 'x' };
      p.nodes.n_two = { type: 'code', name: 'two', code: 'nodes/count-by-hour.ts' };
      p.nodes.n_none = { type: 'code', name: 'none' };
      Object.assign(p.streams as object, { s_9: { from: ['n_count', 'counts'], to: ['n_out', 'in'] } });
    });
    expect(codes(issues).sort()).toEqual([
      'duplicate-stream',
      'missing-code',
      'missing-input',
      'missing-input',
      'missing-input',
      'needless-code',
      'shared-code',
    ]);
  });

  it('G5: switching exactly-once off is a warning until the node is marked idempotent', () => {
    const off = changed((p) => {
      Object.assign(p.nodes.n_count as object, { exactlyOnce: false });
    });
    expect(off.map(({ code, severity }) => [code, severity])).toEqual([['not-idempotent', 'warning']]);
    const marked = changed((p) => {
      Object.assign(p.nodes.n_count as object, { exactlyOnce: false, idempotent: true });
    });
    expect(marked).toEqual([]);
  });

  it('G3: settings are named with what is wrong and what to write', () => {
    const issues = changed((p) => {
      p.nodes.n_agg = {
        type: 'operator/aggregate',
        name: 'agg',
        config: {
          window: { type: 'hopping', size: '1 hour' },
          aggregates: { __proto__x: { type: 'sum' }, ok: { type: 'count' } },
        },
      };
      Object.assign(p.streams as object, { s_3: { from: ['n_count', 'counts'], to: ['n_agg', 'in'] } });
    });
    const messages = issues.map(({ message }) => message).join('\n');
    expect(messages).toContain(`setting 'window.size' is not a duration; write for example 250ms`);
    expect(messages).toContain(`setting 'window.slide' is missing`);
    expect(messages).toContain(`'__proto__x' cannot name an aggregate`);
    expect(messages).toContain('aggregates.__proto__x.of');
  });

  it('names and keys such as __proto__ are texts like any other', () => {
    const text = `{ "format": 1, "name": "__proto__", "__proto__": {},
      "nodes": { "__proto__": { "type": "__proto__", "name": "__proto__", "config": { "__proto__": 1 } },
                 "constructor": { "type": "toString", "name": "constructor" },
                 "n_a": { "type": "sink/file", "name": "a", "config": { "__proto__": 1, "path": "x" } } },
      "streams": { "__proto__": { "from": ["__proto__", "__proto__"], "to": ["n_a", "__proto__"] } },
      "parameters": { "__proto__": { "type": "string", "default": "x" } } }`;
    const found = new Set(codes(issuesOf(text)));
    for (const code of ['unknown-field', 'bad-id', 'unknown-type', 'setting', 'unknown-port', 'bad-name']) {
      expect(found).toContain(code);
    }
    expect(({} as { type?: unknown }).type).toBeUndefined();
  });

  it('a parameter that is unknown or of the wrong type is an issue, also from the command line', () => {
    const folder = readFolder(folderOf(flights()));
    const issues = validateFolder(
      folder,
      types,
      new Map([
        ['slack', 'soon'],
        ['slak', '1m'],
      ]),
    );
    expect(codes(issues).sort()).toEqual(['parameter-value', 'unknown-parameter', 'unknown-parameter']);
  });

  it('a hostile graph of ten thousand nodes in one cycle is judged without overflowing the stack', () => {
    const nodes: Record<string, unknown> = {};
    const streams: Record<string, unknown> = {};
    for (let i = 0; i < 10_000; i++) {
      nodes[`n_${i}`] = { type: 'operator/union', name: `u${i}` };
      streams[`s_${i}`] = { from: [`n_${i}`, 'out'], to: [`n_${(i + 1) % 10_000}`, 'in'] };
    }
    const issues = issuesOf({ format: 1, name: 'x', nodes, streams });
    expect(codes(issues).filter((code) => code === 'cycle')).toHaveLength(1);
  });
});
