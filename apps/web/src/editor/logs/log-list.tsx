import type { ShownLogLine } from '@millrace/protocol/api';
import { useVirtualizer } from '@tanstack/react-virtual';
import { Bug, CircleAlert, Info, TriangleAlert } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { logWords as words } from '../../text/strings/logs.ts';
import { Icon } from '../../ui/icon.tsx';
import { WallTime } from '../../ui/time.tsx';
import { textOfPath } from '../code/text-of-path.ts';
import { findPlace } from '../dead-letters/code-place.ts';
import { useEditor, useReading } from '../editor-context.tsx';
import { useShowCode } from '../versions/address.ts';
import styles from './logs.module.css';

const ROW_HEIGHT = 22;
const ICONS = { debug: Bug, info: Info, warn: TriangleAlert, error: CircleAlert };
/** So near to the end somebody wants to see what comes. */
const AT_END_PX = 40;

/** While the end is in sight, it stays there. */
export function LogList({ lines }: { readonly lines: readonly ShownLogLine[] }) {
  const frame = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 10,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: at each new line
  useEffect(() => {
    if (isAtEnd.current && frame.current !== null) frame.current.scrollTop = frame.current.scrollHeight;
  }, [lines]);
  return (
    <section
      ref={frame}
      className={styles.list}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
      tabIndex={0}
      aria-label={words.list}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < AT_END_PX;
      }}
    >
      <div style={{ height: rows.getTotalSize(), position: 'relative' }}>
        {rows.getVirtualItems().map(({ index, start, key }) => {
          const line = lines[index];
          return line === undefined ? null : (
            <div
              key={key}
              ref={rows.measureElement}
              data-index={index}
              className={styles.line}
              data-level={line.level}
              style={{ transform: `translateY(${start}px)` }}
            >
              <Line line={line} />
            </div>
          );
        })}
      </div>
    </section>
  );
}

function Line({ line }: { readonly line: ShownLogLine }) {
  const { draft, code, deployed } = useEditor();
  const showCode = useShowCode();
  const { nodes } = useReading().pipeline;
  const found = findPlace(line.place ?? null, draft.document);
  const place = line.place?.replace(/:\d+$/, '').replace(/^nodes\//, '');
  const open = (): void => {
    const { version } = deployed.store.getState();
    const path = line.place?.replace(/:\d+:\d+$/, '') ?? '';
    const ran = version?.number === line.version ? textOfPath(version.document, path) : undefined;
    // A line is that line only in the code that wrote it.
    if (found !== undefined && ran !== undefined && ran === textOfPath(draft.document, path))
      code.open(found.id, found.at);
    else showCode(line.version, line.place ?? '');
  };
  return (
    <>
      <span className={styles.level}>
        <Icon of={ICONS[line.level]} size={14} label={line.level} />
      </span>
      <WallTime at={line.time} as="clock" />
      <span className={styles.node}>
        {line.node === '' ? words.loading : (nodes.get(line.node)?.name ?? line.node)}
      </span>
      {line.key !== '' && <code className={styles.key}>{line.key}</code>}
      <code className={styles.text}>{line.text}</code>
      {place !== undefined && (
        <button type="button" className={styles.place} aria-label={words.openCode(place)} onClick={open}>
          {place}
        </button>
      )}
    </>
  );
}
