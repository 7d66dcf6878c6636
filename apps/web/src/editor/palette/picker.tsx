import { Search } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Icon } from '../../ui/icon.tsx';
import styles from './picker.module.css';

export interface PickerItem {
  readonly key: string;
  readonly label: string;
  readonly about?: string;
  readonly icon?: ReactNode;
  /** Why it cannot be chosen. */
  readonly fault?: string | undefined;
}

export interface PickerProps {
  readonly title: string;
  readonly placeholder: string;
  /** Pixels of the canvas; NaN: in its middle. */
  readonly place: readonly [x: number, y: number];
  readonly items: (query: string) => readonly PickerItem[];
  readonly nothing: string;
  readonly onChoose: (key: string) => void;
  readonly onClose: () => void;
}

const WIDTH = 344;
const HEIGHT = 344;

/** A list one types into: a combobox whose list is always open. Enter takes the first. */
export function Picker({ title, placeholder, place, items, nothing, onChoose, onClose }: PickerProps) {
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const found = items(query);
  const current = Math.min(at, found.length - 1);
  useEffect(() => box.current?.querySelector('input')?.focus({ preventScroll: true }), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list moves with what is chosen
  useEffect(() => {
    box.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [current, query]);
  const choose = (item: PickerItem | undefined): void => {
    if (item !== undefined && item.fault === undefined) onChoose(item.key);
  };
  return (
    <div
      ref={box}
      className={styles.picker}
      style={placed(place, box.current?.parentElement)}
      role="dialog"
      aria-label={title}
      onKeyDown={(event) => {
        event.stopPropagation();
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (step !== undefined) setAt((current + step + found.length) % Math.max(1, found.length));
        else if (event.key === 'Enter') choose(found[current]);
        else if (event.key === 'Escape' || event.key === 'Tab') onClose();
        else return;
        event.preventDefault();
      }}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) onClose();
      }}
    >
      <div className={styles.search}>
        <Icon of={Search} />
        <input
          role="combobox"
          aria-expanded
          aria-controls={`${id}-list`}
          aria-activedescendant={found.length > 0 ? `${id}-${current}` : undefined}
          aria-label={title}
          placeholder={placeholder}
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            setAt(0);
          }}
        />
      </div>
      <div id={`${id}-list`} role="listbox" aria-label={title} className={styles.list}>
        {found.length === 0 && <p className={styles.nothing}>{nothing}</p>}
        {found.map((item, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox above has the keyboard
          <div
            key={item.key}
            id={`${id}-${i}`}
            role="option"
            tabIndex={-1}
            aria-selected={i === current}
            aria-disabled={item.fault !== undefined}
            className={styles.item}
            onPointerMove={() => setAt(i)}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(item)}
          >
            {item.icon}
            <span className={styles.words}>
              <span className={styles.label}>{item.label}</span>
              <span className={styles.about}>{item.fault ?? item.about}</span>
            </span>
          </div>
        ))}
      </div>
    </div>
  );
}

/** Near the place, and never cut by the canvas's edge. */
function placed(
  [x, y]: PickerProps['place'],
  frame: Element | null | undefined,
): { left: number | string; top: number } {
  const { clientWidth = 800, clientHeight = 600 } = frame ?? document.querySelector('[data-canvas]') ?? {};
  if (!Number.isFinite(x))
    return { left: Math.max(8, (clientWidth - WIDTH) / 2), top: Math.max(8, clientHeight * 0.16) };
  return {
    left: Math.max(8, Math.min(x, clientWidth - WIDTH - 8)),
    top: Math.max(8, Math.min(y, clientHeight - HEIGHT - 8)),
  };
}
