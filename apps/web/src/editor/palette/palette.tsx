import type { NodeTypeSpec } from '@millrace/graph';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { TextInput } from '../../ui/text-input.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import type { CanvasSlot } from '../canvas/canvas-view.ts';
import { useEditor } from '../editor-context.tsx';
import { type Look, lookOf } from '../node-words.ts';
import { draggedType } from './dragged-type.ts';
import styles from './palette.module.css';
import { rankTypes } from './rank-types.ts';
import { TypeIcon } from './type-icon.tsx';

const SECTIONS: readonly (readonly [look: Look, title: string])[] = [
  ['injector', 'Injectors'],
  ['computation', 'Computations'],
  ['operator', 'Operators'],
  ['sink', 'Sinks'],
];

/** Every type of node: drag it to its place, or press it and it goes behind the active one. */
export function Palette({ slot }: { readonly slot: CanvasSlot }) {
  const { types } = useEditor();
  const [query, setQuery] = useState('');
  const found = rankTypes(types.values(), { query, recent: [] });
  return (
    <section className={styles.palette} aria-label="Palette">
      <div className={styles.search}>
        <TextInput
          type="search"
          size="small"
          icon={Search}
          placeholder="Find a node"
          aria-label="Find a node"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
      </div>
      <div className={styles.list}>
        {SECTIONS.map(([look, title]) => {
          const specs = found.filter(({ type }) => lookOf(type) === look);
          if (specs.length === 0) return null;
          return (
            <section key={look} aria-label={title}>
              <h3 className={styles.title}>{title}</h3>
              {specs.map((spec) => (
                <Entry key={spec.type} spec={spec} slot={slot} />
              ))}
            </section>
          );
        })}
        {found.length === 0 && <p className={styles.nothing}>No type of node fits these words.</p>}
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
    <Tooltip text={spec.description} side="right">
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
