import type { AnswerOf, RouteOf } from '@millrace/protocol/api';
import { Database, MailWarning } from 'lucide-react';
import { useCallback } from 'react';
import { useStore } from 'zustand';
import { call } from '../../api/call.ts';
import { useLoad } from '../../api/use-load.ts';
import { watermarkCauseWords as words } from '../../text/strings/watermark-cause.ts';
import { Button } from '../../ui/button.tsx';
import { KeyText } from '../../ui/key-text.tsx';
import { useEditor, useReading } from '../editor-context.tsx';
import { select } from '../editor-store.ts';
import { setPanes } from '../panes-store.ts';
import styles from './inspector.module.css';
import { originOf } from './record-origin.ts';

type Cause = AnswerOf<RouteOf<'watermark.cause'>>['cause'];

export interface HeldByProps {
  readonly cause: Cause;
  /** The node at the end of the way. */
  readonly node: string;
}

/** The record, key and place that hold, by name, and what can be done about them. */
export function HeldBy({ cause, node }: HeldByProps) {
  const key = 'key' in cause ? cause.key : undefined;
  return (
    <>
      {cause.kind === 'record' && cause.id !== undefined && <Where id={cause.id} keyText={key} />}
      <Actions node={node} keyText={key} isRecord={cause.kind === 'record'} />
    </>
  );
}

function Where({ id, keyText }: { readonly id: string; readonly keyText: string | undefined }) {
  const { nodes } = useReading().pipeline;
  const made = originOf(id);
  const found = useAncestor(id, made === undefined);
  const origin = made ?? (found === undefined ? undefined : originOf(found));
  return (
    <dl className={styles.where}>
      {keyText !== undefined && (
        <div>
          <dt>{words.key}</dt>
          <dd>
            <KeyText of={keyText} />
          </dd>
        </div>
      )}
      {origin !== undefined && (
        <>
          <div>
            <dt>{words.source}</dt>
            <dd>{nodes.get(origin.node)?.name ?? words.notInDraft}</dd>
          </div>
          <div>
            <dt>{words[origin.in]}</dt>
            <dd>
              <code>{origin.name}</code>
            </dd>
          </div>
        </>
      )}
      <div>
        <dt>{words.recordName}</dt>
        <dd>
          <code>{origin === undefined ? id : words.position(origin.position)}</code>
        </dd>
      </div>
    </dl>
  );
}

/** The record an injector read that it was made of, where samples know it. */
function useAncestor(id: string, isAsked: boolean): string | undefined {
  const { pipeline } = useEditor();
  const trace = useLoad(
    useCallback(
      async (signal: AbortSignal) =>
        isAsked ? call('records.trace', { params: { pipeline }, body: { record: id }, signal }) : undefined,
      [pipeline, id, isAsked],
    ),
  );
  if (trace.kind !== 'ready') return undefined;
  return trace.value?.parents.map((parent) => parent.id).find((each) => originOf(each) !== undefined);
}

interface ActionsProps {
  readonly node: string;
  readonly keyText: string | undefined;
  readonly isRecord: boolean;
}

function Actions({ node, keyText, isRecord }: ActionsProps) {
  const { store, letters, code } = useEditor();
  const isThere = useReading().pipeline.nodes.has(node);
  const open = useStore(letters.store, (state) => state.byNode?.get(node)) ?? 0;
  const showKey = (): void => {
    store.setState({ stateKey: { node, key: keyText ?? '' } });
    select(store, { nodes: [node] });
    setPanes({ right: true, rightTab: 'state' });
  };
  const showLetters = (): void => {
    select(store, { nodes: [node] });
    code.store.setState({ tab: 'dead-letters' });
    setPanes({ bottom: true });
  };
  if (!isThere || (keyText === undefined && open === 0)) return null;
  return (
    <div className={styles.row}>
      {keyText !== undefined && (
        <Button size="small" icon={Database} onClick={showKey}>
          {isRecord ? words.showRecord : words.showKey}
        </Button>
      )}
      {open > 0 && (
        <Button size="small" icon={MailWarning} onClick={showLetters}>
          {words.showLetters(open)}
        </Button>
      )}
    </div>
  );
}
