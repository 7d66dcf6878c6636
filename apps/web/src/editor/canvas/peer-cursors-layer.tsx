import { useReactFlow, useStoreApi } from '@xyflow/react';
import { type PointerEvent, useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { useEditor } from '../editor-context.tsx';
import { hue } from '../peers/peer-flags.tsx';
import styles from './peer-cursors-layer.module.css';

/** Where others point at, with their names. Placed from outside React: they move a dozen times a second. */
export function PeerCursorsLayer() {
  const { presence } = useEditor().draft;
  const internals = useStoreApi();
  const layer = useRef<HTMLDivElement>(null);
  const peers = useSyncExternalStore(presence.subscribe, presence.peers);
  const pointing = peers.filter(({ state }) => state.cursor !== undefined);
  useEffect(() => {
    const place = (): void => {
      const [x, y, zoom] = internals.getState().transform;
      const cursors = new Map(presence.peers().map(({ client, state }) => [String(client), state.cursor]));
      for (const flag of layer.current?.children ?? []) {
        if (!(flag instanceof HTMLElement)) continue;
        const at = cursors.get(flag.dataset.client ?? '');
        if (at !== undefined)
          flag.style.transform = `translate(${at[0] * zoom + x}px, ${at[1] * zoom + y}px)`;
      }
    };
    place();
    const stops = [internals.subscribe(place), presence.subscribe(() => requestAnimationFrame(place))];
    return () => {
      for (const stop of stops) stop();
    };
  }, [internals, presence]);
  return (
    <div ref={layer} className={styles.layer} aria-hidden>
      {pointing.map(({ client, name, state }) => (
        <span
          key={client}
          data-client={client}
          data-at={state.cursor?.join()}
          className={styles.cursor}
          style={hue(name)}
        >
          <svg width="14" height="18" viewBox="0 0 14 18" aria-hidden="true">
            <path d="M1 1v13.2l3.4-3 2.2 5.2 2.5-1.1-2.2-5H12z" />
          </svg>
          <b>{name}</b>
        </span>
      ))}
    </div>
  );
}

interface Pointing {
  readonly onPointerMove: (event: PointerEvent) => void;
  readonly onPointerLeave: () => void;
}

/** Tells the others where this page's pointer is, in canvas units; nobody is told while nobody is there. */
export function useOwnCursor(): Pointing {
  const { presence } = useEditor().draft;
  const { screenToFlowPosition } = useReactFlow();
  useEffect(() => () => presence.show({ cursor: undefined }), [presence]);
  return useMemo(
    () => ({
      onPointerMove: ({ clientX, clientY, pointerType }) => {
        if (presence.peers().length === 0 || pointerType === 'touch') return;
        const { x, y } = screenToFlowPosition({ x: clientX, y: clientY }, { snapToGrid: false });
        presence.show({ cursor: [Math.round(x), Math.round(y)] });
      },
      onPointerLeave: () => presence.show({ cursor: undefined }),
    }),
    [presence, screenToFlowPosition],
  );
}
