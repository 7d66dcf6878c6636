import type { NodeTypeSpec } from '@millrace/graph';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { paletteWords as words } from '../../text/strings/palette.ts';
import { Prose } from '../../ui/prose.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import type { CanvasSlot } from '../canvas/canvas-view.ts';
import { useEditor } from '../editor-context.tsx';
import { type Look, lookOf } from '../node-words.ts';
import { draggedType } from './dragged-type.ts';
import styles from './palette.module.css';
import { rankTypes } from './rank-types.ts';
import { TypeIcon } from './type-icon.tsx';

const SECTIONS = ['injector', 'computation', 'operator', 'sink'] as const satisfies readonly Look[];

/** Every type of node: drag it to its place, or press it and it goes behind the active one. */
export function Palette({ slot }: { readonly slot: CanvasSlot }) {
  const { types } = useEditor();
  const [query, setQuery] = useState('');
  const found = rankTypes(types.values(), { query, recent: [] });
  return (
    <section className={styles.palette} aria-label={words.palette}>
      <div className={styles.search}>
        <TextInput
          type="search"
          size="small"
          icon={Search}
          placeholder={words.findANode}
          aria-label={words.findANode}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
      </div>
      <div className={styles.list}>
        {SECTIONS.map((look) => {
          const specs = found.filter(({ type }) => lookOf(type) === look);
          if (specs.length === 0) return null;
          return (
            <section key={look} aria-label={words.sections[look]}>
              <h3 className={styles.title}>{words.sections[look]}</h3>
              {specs.map((spec) => (
                <Entry key={spec.type} spec={spec} slot={slot} />
              ))}
            </section>
          );
        })}
        {found.length === 0 && <p className={styles.nothing}>{words.nothingFits}</p>}
      </div>
    </section>
  );
}

function Entry({ spec, slot }: { readonly spec: NodeTypeSpec; readonly slot: CanvasSlot }) {
  const { actions, canEdit } = useEditor();
  const add = (): void => {
    const at = actions.freePlace(slot.current?.middle() ?? [0, 0]);
    const node = actions.addNode({ type: spec.type, at });
    if (node !== undefined) slot.current?.reveal([node]);
  };
  return (
    <Tooltip text={<Prose text={spec.description} />} side="right">
      <button
        type="button"
        className={styles.entry}
        disabled={!canEdit}
        draggable={canEdit}
        onClick={add}
        onDragStart={(event) => {
          draggedType.set(spec.type);
          event.dataTransfer.effectAllowed = 'copy';
          event.dataTransfer.setData('text/plain', spec.title);
        }}
        onDragEnd={() => draggedType.set(undefined)}
      >
        <TypeIcon type={spec.type} />
        <span className={styles.name}>{spec.title}</span>
      </button>
    </Tooltip>
  );
}
