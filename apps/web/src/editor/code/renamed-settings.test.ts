import { layoutProject } from '@millrace/compiler/layout';
import { nodeTypes, readFolder } from '@millrace/graph';
import { describe, expect, it } from 'vitest';
import { settingsAfter, type TextEdit } from './renamed-settings.ts';

const { pipeline, ...folder } = readFolder(
  new Map([
    [
      'pipeline.json',
      JSON.stringify({
        format: 1,
        name: 'x',
        parameters: { what: { type: 'string', default: 'value.who' } },
        nodes: {
          n_agg: {
            type: 'operator/aggregate',
            name: 'figures',
            config: {
              window: { type: 'tumbling', size: '1s' },
              aggregates: {
                a: { type: 'sum', of: 'value.ms + value.ms' },
                b: { type: 'max', of: 'value.ms' },
              },
            },
          },
          n_map: { type: 'operator/map', name: 'map', config: { expression: { param: 'what' } } },
        },
        streams: { s_1: { from: ['n_map', 'out'], to: ['n_agg', 'in'], keyBy: 'value.who' } },
      }),
    ],
  ]),
);
const project = layoutProject({ pipeline, ...folder }, nodeTypes());

/** Every `from` in a generated file becomes `to`. */
function renamed(path: string, from: string, to: string) {
  const file = project.files.get(path);
  if (file === undefined) throw new Error(`no ${path}`);
  const edits: TextEdit[] = [];
  for (let at = file.text.indexOf(from); at >= 0; at = file.text.indexOf(from, at + 1))
    edits.push({ start: at, end: at + from.length, text: to });
  return settingsAfter(pipeline, file, edits);
}

describe('a rename that reaches into settings', () => {
  it('changes key extractors', () => {
    expect(renamed('/n_agg/key-by-s_1.ts', 'who', 'person')).toEqual([
      { kind: 'set-key-by', stream: 's_1', keyBy: 'value.person' },
    ]);
  });

  it('changes every place of an expression, wherever it lies in a form', () => {
    const value = {
      a: { type: 'sum', of: 'value.millis + value.millis' },
      b: { type: 'max', of: 'value.millis' },
    };
    expect(renamed('/n_agg/node.ts', 'value.ms', 'value.millis')).toEqual([
      { kind: 'set-setting', node: 'n_agg', setting: 'aggregates', value },
    ]);
  });

  it('leaves alone what nobody wrote, and what a parameter stands for', () => {
    expect(renamed('/n_agg/node.ts', 'aggregate(', 'other(')).toBeUndefined();
    expect(renamed('/n_map/node.ts', 'who', 'person')).toBeUndefined();
  });
});
