import type { AnswerOf, RouteOf } from '@millrace/protocol/api';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { call } from '../../api/call.ts';
import { useLoad } from '../../api/use-load.ts';
import { watermarkCauseWords as words } from '../../text/strings/watermark-cause.ts';
import { Button } from '../../ui/button.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { EventTime, WallTime } from '../../ui/time.tsx';
import type { CanvasSlot } from '../canvas/canvas-view.ts';
import { useEditor, useReading } from '../editor-context.tsx';
import { select } from '../editor-store.ts';
import { HeldBy } from './held-by.tsx';
import styles from './inspector.module.css';

type Found = AnswerOf<RouteOf<'watermark.cause'>>;
type Cause = Found['cause'];

/** While it is open: after the fix it clears by itself. */
const EVERY_MS = 1_000;

export interface WatermarkCauseProps {
  readonly node: string;
  readonly slot: CanvasSlot;
}

/** Why the node's watermark stands where it does: what holds it, and by which way. */
export function WatermarkCause({ node, slot }: WatermarkCauseProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={styles.cause}>
      <span>
        <Button size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? words.hide : words.ask}
        </Button>
      </span>
      {isOpen && <Answer node={node} slot={slot} />}
    </div>
  );
}

function Answer({ node, slot }: WatermarkCauseProps) {
  const { pipeline } = useEditor();
  const found = useLoad(
    useCallback(
      (signal: AbortSignal) => call('watermark.cause', { params: { pipeline, node }, signal }),
      [pipeline, node],
    ),
  );
  const { reload } = found;
  useEffect(() => {
    const timer = setInterval(reload, EVERY_MS);
    return () => clearInterval(timer);
  }, [reload]);
  return (
    <LoadState of={found} lines={1}>
      {({ path, cause }) => (
        <div role="status" className={styles.held} ref={intoView}>
          <p>
            <Sentence cause={cause} at={path.at(-1) ?? node} />
          </p>
          {path.length > 1 && <Way path={path} slot={slot} />}
          <HeldBy cause={cause} node={path.at(-1) ?? node} />
        </div>
      )}
    </LoadState>
  );
}

const intoView = (answer: HTMLElement | null): void => answer?.scrollIntoView({ block: 'nearest' });

/** From the node that was asked for to the one that holds. */
function Way({ path, slot }: { readonly path: readonly string[]; readonly slot: CanvasSlot }) {
  return (
    <ol className={styles.way} aria-label={words.way}>
      {path.map((id) => (
        <li key={id}>
          <NodeLink id={id} slot={slot} />
        </li>
      ))}
    </ol>
  );
}

function NodeLink({ id, slot }: { readonly id: string; readonly slot: CanvasSlot }) {
  const { store } = useEditor();
  const node = useReading().pipeline.nodes.get(id);
  // The version that runs may have nodes that the draft has not.
  if (node === undefined) return <>{words.notInDraft}</>;
  const show = () => {
    select(store, { nodes: [id] });
    slot.current?.reveal([id]);
  };
  return (
    <button type="button" className={styles.link} onClick={show}>
      {node.name}
    </button>
  );
}

function Sentence({ cause, at }: { readonly cause: Cause; readonly at: string }): ReactNode {
  const name = useReading().pipeline.nodes.get(at)?.name ?? words.notInDraft;
  switch (cause.kind) {
    case 'none':
      return words.nothing;
    case 'source':
      return <SourceSentence name={name} cause={cause} />;
    case 'backlog':
      return (
        <>
          {words.backlog(name, cause.records)}
          {cause.since !== undefined && (
            <>
              {words.oldestSince} <WallTime at={cause.since} as="clock" />
            </>
          )}
          .
        </>
      );
    case 'record':
      return (
        <>
          {words.record(name, cause.key)} <EventTime at={cause.hold} />.
        </>
      );
    case 'state':
      return (
        <>
          {words.state(name, cause.key)} <EventTime at={cause.hold} />.
        </>
      );
    case 'timer':
      return (
        <>
          {words.timer(name, cause.tag, cause.key)} <EventTime at={cause.hold} />
          {words.due} {cause.clock === 'wall' ? <WallTime at={cause.time} /> : <EventTime at={cause.time} />}.
        </>
      );
  }
}

function SourceSentence(props: {
  readonly name: string;
  readonly cause: Extract<Cause, { kind: 'source' }>;
}) {
  const { name, cause } = props;
  const [first] = cause.partitions;
  const places = cause.partitions.map((partition) => partition.name).join(', ');
  return (
    <>
      {first?.largest === undefined ? (
        words.notReported(name, places)
      ) : (
        <>
          {words.readTo(name, places)} <EventTime at={first.largest} />.
        </>
      )}{' '}
      {cause.waits !== undefined && words.waits[cause.waits]}
    </>
  );
}
