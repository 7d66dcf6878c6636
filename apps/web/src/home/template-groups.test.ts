import { expect, test } from 'vitest';
import { groupsOf, matchingTemplates } from './template-groups.ts';

const group = { name: 'Nexmark', description: 'An auction house.' };
const given = { pipeline: null, group };
const items = [
  { ...given, name: 'q5', title: 'Nexmark q5: hot items', description: 'Most bids.', tags: ['windows'] },
  { ...given, name: 'q9', title: 'Nexmark q9: winning bids', description: 'Highest at its end.', tags: [] },
  { ...given, name: 'sample', title: 'Bids', description: '', tags: [], group: null },
];
const found = (q: string, tag?: string) => matchingTemplates(items, { q, tag }).map(({ name }) => name);

test('templates are found by name, by what they do and by tag, and samples are none of them', () => {
  expect(found('')).toEqual(['q5', 'q9']);
  expect(found('NEXMARK q9')).toEqual(['q9']);
  expect(found('most  bids')).toEqual(['q5']);
  expect(found('bids')).toEqual(['q5', 'q9']);
  expect(found('windows')).toEqual(['q5']);
  expect(found('', 'windows')).toEqual(['q5']);
  expect(found('sessions')).toEqual([]);
});

test('they stand under the names of their groups', () => {
  const templates = matchingTemplates(items, { q: '', tag: undefined });
  expect(groupsOf(templates)).toEqual([{ ...group, templates }]);
  expect(groupsOf([])).toEqual([]);
});
