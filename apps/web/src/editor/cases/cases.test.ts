import { expect, test } from 'vitest';
import { readCase, writeCase } from './case-text.ts';
import { readTime, timeText } from './case-time.ts';
import { prettyJson } from './exact-json.ts';
import { lineDiff } from './line-diff.ts';
import { shownDifferences } from './shown-differences.ts';
import { takeResults } from './taken-results.ts';

const BIG = '9007199254740993';

const text = `{"format":1,"node":"n_1","about":"kept","steps":[
  {"record":{"stream":"in","key":"k","value":{"n":${BIG}},"timestamp":5}},{"watermark":10},{"wall":3},{"restart":true},{"end":true}],
  "expect":{"out":[{"key":"k","value":{"n":${BIG},"id":{"$any":true}},"timestamp":5,"pane":{"start":0}}]},
  "late":[],"state":{"k":null}}`;

test('a case goes through the form and back with every digit, matcher and unknown field', () => {
  const read = readCase(text);
  expect(read?.steps.map(({ kind }) => kind)).toEqual(['record', 'watermark', 'wall', 'restart', 'end']);
  const written = writeCase(read!);
  expect(written).toContain(BIG);
  expect(readCase(written)).toEqual(read);
  expect(JSON.parse(written)).toEqual(JSON.parse(text));
});

test('what the form cannot show without losing something is left as text', () => {
  const others = [
    '{',
    '[]',
    '{"format":2,"steps":[],"expect":{}}',
    '{"format":1,"steps":[{"jump":1}],"expect":{}}',
  ];
  for (const other of others) expect(readCase(other), other).toBeUndefined();
  const odd = text.replace('"timestamp":5}}', '"timestamp":5,"note":"x"}}');
  expect(readCase(odd)).toBeUndefined();
});

test('times are ms where they are small and ISO where they are of our days', () => {
  expect(timeText(1_000)).toBe('1000');
  expect(timeText(1_772_366_400_000)).toBe('2026-03-01T12:00:00.000Z');
  for (const time of [0, -5, 1_772_366_400_000, 9e15]) expect(readTime(timeText(time))).toBe(time);
  expect(readTime('noon')).toBeUndefined();
});

test('a record that came out otherwise stands beside the one expected, by what the case speaks of', () => {
  const shown = shownDifferences([
    {
      kind: 'unexpected',
      stream: 'out',
      actual: `{"key":"a","value":{"n":1,"m":${BIG}},"timestamp":7}`,
      message: '',
    },
    { kind: 'missing', stream: 'out', expected: '{"key":"b","value":1}', message: '' },
    { kind: 'missing', stream: 'out', expected: `{"key":"a","value":{"m":${BIG},"n":2}}`, message: '' },
  ]);
  expect(shown.map(({ kind }) => kind)).toEqual(['differs', 'missing']);
  const changed = shown[0]?.lines.filter(({ side }) => side !== 'both');
  expect(changed?.map(({ side, text }) => `${side} ${text.trim()}`)).toEqual([
    'expected n: 2',
    'actual n: 1',
  ]);
});

test('lines that are in both are told once', () => {
  const diff = lineDiff(['a', 'b', 'c'], ['a', 'c', 'd']);
  expect(diff.map(({ side, text }) => `${side[0]}${text}`)).toEqual(['ba', 'eb', 'bc', 'ad']);
});

test('what came out becomes what is expected: records, late ones, the state in the end', () => {
  const key = (state: string | undefined) => ({
    maps: [],
    timers: [],
    ...(state !== undefined && { state }),
  });
  const taken = takeResults(
    readCase(text)!,
    {
      passed: false,
      cut: false,
      differences: [],
      steps: [
        {
          ms: 1,
          events: [{ kind: 'output', stream: 'out', key: 'k', timestamp: 5, value: BIG }],
          keys: [
            { key: 'k', after: key('1') },
            { key: 'gone', after: key('1') },
          ],
        },
        {
          ms: 1,
          events: [{ kind: 'late', stream: 'in', key: 'k', timestamp: 1, value: '2' }],
          keys: [
            { key: 'k', before: key('1'), after: key('2') },
            { key: 'gone', before: key('1') },
          ],
        },
      ],
    },
    ['out', 'other'],
  );
  expect([...taken.expect]).toEqual([
    ['out', [{ key: 'k', value: BIG, timestamp: 5 }]],
    ['other', []],
  ]);
  expect(taken.late).toEqual([{ key: 'k', value: '2', timestamp: 1 }]);
  expect([...(taken.state ?? [])]).toEqual([
    ['k', '2'],
    ['gone', 'null'],
  ]);
});

test('long values go over several lines, short ones stay on one', () => {
  expect(prettyJson('{"a":1}')).toBe('{ "a": 1 }');
  expect(prettyJson(`{"a":"${'x'.repeat(60)}","b":[]}`).split('\n')).toHaveLength(4);
  expect(prettyJson('{"a')).toBe('{"a');
});
