/** Templates as they are shown: those that match a search, under the names of their groups. */
import type { AnswerOf, RouteOf } from '@millrace/protocol/api';
import type { Asked } from './use-asked.ts';

type Beginning = AnswerOf<RouteOf<'samples.list'>>['items'][number];
export type Template = Beginning & { readonly group: NonNullable<Beginning['group']> };

export interface TemplateGroup {
  readonly name: string;
  /** Markdown. */
  readonly description: string;
  readonly templates: readonly Template[];
}

/** As the server searches pipelines: every word must be in name, description or tags. */
export function matchingTemplates(
  items: readonly Beginning[],
  { q, tag }: Pick<Asked, 'q' | 'tag'>,
): readonly Template[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  return items.filter((item): item is Template => {
    if (item.group === null || (tag !== undefined && !item.tags.includes(tag))) return false;
    const text = [item.title, item.description, ...item.tags, item.group.name].join('\n').toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

export function groupsOf(templates: readonly Template[]): readonly TemplateGroup[] {
  const groups = new Map<string, Template[]>();
  for (const template of templates) {
    const { name } = template.group;
    groups.set(name, [...(groups.get(name) ?? []), template]);
  }
  return [...groups].map(([name, some]) => ({
    name,
    description: some[0]?.group.description ?? '',
    templates: some,
  }));
}
