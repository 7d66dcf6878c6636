import { ArrowDownUp, Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useMay } from '../shell/session-store.ts';
import { commonWords } from '../text/strings/common.ts';
import { homeWords } from '../text/strings/home.ts';
import { Button } from '../ui/button.tsx';
import { Menu, MenuChoice } from '../ui/menu.tsx';
import { TextInput } from '../ui/text-input.tsx';
import { useDebounced } from '../ui/use-debounced.ts';
import styles from './home-page.module.css';
import { NewPipeline } from './new-pipeline.tsx';
import type { Pipeline } from './pipeline-card.tsx';
import { TagFilter } from './tag-filter.tsx';
import type { Template } from './template-groups.ts';
import type { Asked, Sort } from './use-asked.ts';

const SORT_OPTIONS: readonly { readonly value: Sort; readonly label: string }[] = [
  { value: 'updated', label: homeWords.lastEdited },
  { value: 'name', label: commonWords.name },
  { value: 'created', label: homeWords.newest },
];
const TYPED_MS = 200;

export interface HomeToolsProps {
  readonly asked: Asked;
  readonly onAsk: (change: Partial<Asked>) => void;
  /** To begin with one of them. */
  readonly samples: readonly Pipeline[];
  readonly templates: readonly Template[];
}

export function HomeTools({ asked, onAsk, samples, templates }: HomeToolsProps) {
  const mayWrite = useMay('graph.write');
  return (
    <div className={styles.tools}>
      <SearchField q={asked.q} onSearch={(q) => onAsk({ q })} />
      <TagFilter tag={asked.tag} onChange={(tag) => onAsk({ tag })} />
      <Menu
        trigger={
          <Button look="quiet" icon={ArrowDownUp}>
            {SORT_OPTIONS.find(({ value }) => value === asked.sort)?.label}
          </Button>
        }
      >
        <MenuChoice value={asked.sort} options={SORT_OPTIONS} onChange={(sort) => onAsk({ sort })} />
      </Menu>
      {mayWrite && <NewPipeline samples={samples} templates={templates} />}
    </div>
  );
}

interface SearchFieldProps {
  readonly q: string;
  readonly onSearch: (q: string) => void;
}

function SearchField({ q, onSearch }: SearchFieldProps) {
  const [typed, setTyped] = useState(q);
  const settled = useDebounced(typed.trim(), TYPED_MS);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was typed goes out when it has settled
  useEffect(() => {
    if (settled !== q) onSearch(settled);
  }, [settled]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the address says comes in when that changes
  useEffect(() => {
    if (q !== typed.trim()) setTyped(q);
  }, [q]);
  return (
    <search className={styles.search}>
      <TextInput
        icon={Search}
        type="search"
        aria-label={homeWords.searchPipelines}
        placeholder={homeWords.searchNamesCodeSettings}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </search>
  );
}
