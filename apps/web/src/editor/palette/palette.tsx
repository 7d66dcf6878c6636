import type { NodeTypeSpec } from '@millrace/graph';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { paletteWords as words } from '../../text/strings/palette.ts';
import { Prose } from '../../ui/prose.tsx';
import { type RovingStop, useRoving } from '../../ui/roving/use-roving.ts';
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
  const sections = SECTIONS.map((look) => ({
    look,
    specs: found.filter(({ type }) => lookOf(type) === look),
  })).filter(({ specs }) => specs.length > 0);
  const roving = useRoving(sections.flatMap(({ specs }) => specs.map(({ title }) => title)));
  let place = 0;
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
          onKeyDown={(event) => {
            if (event.key !== 'ArrowDown' || found.length === 0) return;
            event.preventDefault();
            roving.enter();
          }}
        />
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: its buttons are one stop of the tab key */}
      <div ref={roving.frame} className={styles.list} onKeyDown={roving.onKeyDown}>
        {sections.map(({ look, specs }) => (
          <section key={look} aria-label={words.sections[look]}>
            <h2 className={styles.title}>{words.sections[look]}</h2>
            {specs.map((spec) => (
              <Entry key={spec.type} spec={spec} slot={slot} stop={roving.stop(place++)} />
            ))}
          </section>
        ))}
        {found.length === 0 && <p className={styles.nothing}>{words.nothingFits}</p>}
      </div>
    </section>
  );
}

interface EntryProps {
  readonly spec: NodeTypeSpec;
  readonly slot: CanvasSlot;
  readonly stop: RovingStop;
}

function Entry({ spec, slot, stop }: EntryProps) {
  const { actions, canEdit } = useEditor();
  const add = (): void => {
    const at = actions.freePlace(slot.current?.middle() ?? [0, 0]);
    const node = actions.addNode({ type: spec.type, at });
    if (node !== undefined) slot.current?.reveal([node]);
  };
  return (
    <Tooltip text={<Prose text={spec.description} />} side="right">
      <button
        {...stop}
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
