import { Field } from '../../ui/field.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { useEditor, useReading } from '../editor-context.tsx';
import { useBuffered } from './form/use-buffered.ts';
import styles from './inspector.module.css';

const KEYS = [
  ['/', 'add a node'],
  ['c', 'connect the active node'],
  ['f2', 'rename'],
  ['delete', 'delete and join what is left'],
  ['mod+z', 'undo'],
  ['1', 'show all'],
] as const;

/** Nothing is selected: the pipeline as a whole. */
export function PipelineInspector() {
  const { actions, canEdit } = useEditor();
  const { pipeline } = useReading();
  const buffer = useBuffered(pipeline.name, (name) => {
    if (name.trim() !== '') actions.run({ kind: 'rename-pipeline', name: name.trim() });
  });
  return (
    <>
      <header className={styles.head}>
        <div className={styles.title}>
          <h2>{pipeline.name}</h2>
          <p>
            {pipeline.nodes.size} nodes · {pipeline.streams.size} streams
          </p>
        </div>
      </header>
      <section className={styles.part} aria-label="Pipeline">
        <Field label="Name">
          {(control) => (
            <TextInput
              {...control}
              {...buffer}
              size="small"
              maxLength={200}
              disabled={!canEdit}
              autoComplete="off"
            />
          )}
        </Field>
      </section>
      {pipeline.parameters.size > 0 && (
        <section className={styles.part} aria-label="Parameters">
          <h3>Parameters</h3>
          <dl className={styles.figures}>
            {[...pipeline.parameters].map(([name, parameter]) => (
              <div key={name} style={{ display: 'contents' }}>
                <dt>
                  <code>{name}</code> {parameter.description}
                </dt>
                <dd>{String(parameter.default ?? 'must be given')}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
      {canEdit && (
        <section className={styles.part} aria-label="Keys">
          <h3>On the canvas</h3>
          <dl className={styles.figures}>
            {KEYS.map(([keys, what]) => (
              <div key={keys} style={{ display: 'contents' }}>
                <dt>{what}</dt>
                <dd>
                  <Kbd keys={keys} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      )}
    </>
  );
}
