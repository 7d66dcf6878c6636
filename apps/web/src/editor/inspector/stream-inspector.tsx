import type { Port, Stream } from '@millrace/graph';
import { Trash2 } from 'lucide-react';
import { useStore } from 'zustand';
import { inspectorWords as words } from '../../text/strings/inspector.ts';
import { Field } from '../../ui/field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import type { CanvasSlot } from '../canvas/canvas-view.ts';
import { FollowOutput } from '../code/follow-output.tsx';
import { useEditor, useProblems, useReading } from '../editor-context.tsx';
import { select } from '../editor-store.ts';
import { TypeIcon } from '../palette/type-icon.tsx';
import { fieldWords, issueWords } from '../problems/issue-words.ts';
import { portName, streamName } from '../stream-name.ts';
import { ExpressionControl } from './form/expression-control.tsx';
import { SettingsAt } from './form/setting-path.tsx';
import { useBuffered } from './form/use-buffered.ts';
import styles from './inspector.module.css';
import { onLines } from './type-on-lines.ts';

export function StreamInspector({ stream, slot }: { readonly stream: Stream; readonly slot: CanvasSlot }) {
  const { actions, canEdit } = useEditor();
  const reading = useReading();
  const { pipeline } = reading;
  const issues = useProblems().filter((issue) => issue.stream === stream.id);
  const keyFault = issues.find(({ path }) => path?.endsWith('.keyBy'));
  return (
    <>
      <header className={styles.head}>
        <div className={styles.title}>
          <h2>{streamName(reading, stream)}</h2>
          <p>
            {words.stream} · {stream.keyBy === undefined ? words.keepsKey : words.by(stream.keyBy)}
          </p>
        </div>
        {canEdit && (
          <IconButton
            size="small"
            icon={Trash2}
            label={words.delete}
            shortcut="delete"
            onClick={() => actions.deleteSelected()}
          />
        )}
      </header>
      <section className={styles.part} aria-label={words.stream} data-inspector>
        {issues
          .filter((issue) => issue !== keyFault)
          .map((issue) => (
            <Notice key={issue.message} tone={issue.severity === 'error' ? 'error' : 'warn'}>
              {issueWords(issue)}
            </Notice>
          ))}
        {canEdit && issues.length > 0 && (
          <div className={styles.row}>
            <FollowOutput node={stream.from[0]} />
          </div>
        )}
        <div className={styles.ends}>
          <End label={words.from} port={stream.from} slot={slot} nodes={pipeline.nodes} />
          <End label={words.to} port={stream.to} slot={slot} nodes={pipeline.nodes} />
        </div>
        <StreamName key={stream.id} stream={stream} />
        <Flows stream={stream.id} isFaulty={issues.length > 0} />
        <Field label={words.key} error={keyFault && fieldWords(keyFault)} hint={words.keyAbout}>
          {(control) => (
            <SettingsAt path={['streams', stream.id, 'keyBy']}>
              <ExpressionControl
                shape={{ kind: 'expression' }}
                value={stream.keyBy}
                // Where nobody can type it would be taken for the key.
                fallback={canEdit ? words.keyExample : undefined}
                control={control}
                disabled={!canEdit}
                onChange={(keyBy) =>
                  actions.run({ kind: 'set-key-by', stream: stream.id, keyBy: keyBy as string | undefined })
                }
              />
            </SettingsAt>
          )}
        </Field>
      </section>
    </>
  );
}

/** A name of its own, for people only; without one it is called after its port. */
function StreamName({ stream }: { readonly stream: Stream }) {
  const { actions, canEdit } = useEditor();
  const reading = useReading();
  const buffer = useBuffered(
    reading.layout.streams.get(stream.id)?.name ?? '',
    (name) => actions.run({ kind: 'rename-stream', stream: stream.id, name }),
    'at-end',
  );
  return (
    <Field label={words.name}>
      {(control) => (
        <TextInput
          {...control}
          {...buffer}
          placeholder={portName(reading, stream)}
          maxLength={100}
          autoComplete="off"
          disabled={!canEdit}
        />
      )}
    </Field>
  );
}

/** What the values are, as TypeScript says it. */
function Flows({ stream, isFaulty }: { readonly stream: string; readonly isFaulty: boolean }) {
  const { code } = useEditor();
  const { types, checking } = useStore(code.store);
  const type = types.get(stream);
  return (
    <div className={styles.flows}>
      <h3>{words.flows}</h3>
      {type === undefined ? (
        <p className={styles.about}>{checking ? words.checkingType : words.unknownFlows}</p>
      ) : (
        <>
          <pre className={styles.type}>{onLines(type)}</pre>
          {type === 'unknown' && !isFaulty && <p className={styles.about}>{words.unknownFlows}</p>}
        </>
      )}
    </div>
  );
}

interface EndProps {
  readonly label: string;
  readonly port: Port;
  readonly slot: CanvasSlot;
  readonly nodes: ReadonlyMap<string, { readonly type: string; readonly name: string }>;
}

function End({ label, port, slot, nodes }: EndProps) {
  const { store } = useEditor();
  const node = nodes.get(port[0]);
  return (
    <div className={styles.end}>
      <span>{label}</span>
      <button
        type="button"
        onClick={() => {
          select(store, { nodes: [port[0]] });
          slot.current?.reveal([port[0]]);
        }}
      >
        <TypeIcon type={node?.type ?? ''} size={20} />
        <b>{node?.name}</b>
        <code>{port[1]}</code>
      </button>
    </div>
  );
}
