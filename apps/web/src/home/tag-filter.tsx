import { Tag } from 'lucide-react';
import { useMemo, useRef } from 'react';
import { homeWords } from '../text/strings/home.ts';
import { Button } from '../ui/button.tsx';
import { Menu, MenuChoice } from '../ui/menu.tsx';

const ALL = '';

export interface TagFilterProps {
  readonly items: readonly { readonly tags: readonly string[] }[];
  readonly tag: string | undefined;
  readonly onChange: (tag: string | undefined) => void;
}

export function TagFilter({ items, tag, onChange }: TagFilterProps) {
  // While a tag filters, the others would vanish from the list: those seen before stay.
  const seen = useRef(new Set<string>());
  const tags = useMemo(() => {
    for (const item of items) for (const each of item.tags) seen.current.add(each);
    return [...seen.current].sort();
  }, [items]);
  if (tags.length === 0) return null;
  const options = [
    { value: ALL, label: homeWords.allTags },
    ...tags.map((each) => ({ value: each, label: each })),
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
