import { Tag } from 'lucide-react';
import { useCallback } from 'react';
import { call } from '../api/call.ts';
import { useLoad } from '../api/use-load.ts';
import { homeWords } from '../text/strings/home.ts';
import { Button } from '../ui/button.tsx';
import { Menu, MenuChoice } from '../ui/menu.tsx';

const ALL = '';

export interface TagFilterProps {
  readonly tag: string | undefined;
  readonly onChange: (tag: string | undefined) => void;
}

export function TagFilter({ tag, onChange }: TagFilterProps) {
  const tags = useLoad(useCallback((signal) => call('pipelines.tags', { signal }), []));
  const items = tags.kind === 'ready' ? tags.value.items : [];
  // One that came with the address may not be in use any more, and can still be taken off.
  const known = items.some((each) => each.tag === tag) || !tag ? items : [{ tag, count: 0 }, ...items];
  if (known.length === 0) return null;
  const options = [
    { value: ALL, label: homeWords.allTags },
    ...known.map((each) => ({ value: each.tag, label: homeWords.tagWithCount(each.tag, each.count) })),
  ];
  return (
    <Menu
      trigger={
        <Button look="quiet" icon={Tag}>
          {tag ?? homeWords.allTags}
        </Button>
      }
    >
      <MenuChoice value={tag ?? ALL} options={options} onChange={(next) => onChange(next || undefined)} />
    </Menu>
  );
}
