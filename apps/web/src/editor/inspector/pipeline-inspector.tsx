import { codeWords } from '../../text/strings/code.ts';
import { inspectorWords as words } from '../../text/strings/inspector.ts';
import { Field } from '../../ui/field.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { SharedFiles } from '../code/shared-files.tsx';
import { useEditor, useReading } from '../editor-context.tsx';
import { useBuffered } from './form/use-buffered.ts';
import styles from './inspector.module.css';
import { Parameters } from './parameters/parameters.tsx';

const KEYS = [
  ['/', words.addANode],
  ['c', words.connect],
  ['f2', words.rename],
  ['delete', words.deleteAndJoin],
  ['mod+z', words.undo],
  ['1', words.showAll],
] as const;

/** Nothing is selected: the pipeline as a whole. */
export function PipelineInspector() {
  const { actions, canEdit } = useEditor();
  const { pipeline, files } = useReading();
  const buffer = useBuffered(pipeline.name, (name) => {
    if (name.trim() !== '') actions.run({ kind: 'rename-pipeline', name: name.trim() });
  });
  return (
    <>
      <header className={styles.head}>
        <div className={styles.title}>
          <h2>{pipeline.name}</h2>
          <p>{words.size(pipeline.nodes.size, pipeline.streams.size)}</p>
        </div>
      </header>
      <section className={styles.part} aria-label={words.pipeline}>
        <Field label={words.name}>
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
      <Parameters />
      {(canEdit || [...files.values()].some(({ path }) => path.startsWith('lib/'))) && (
        <section className={styles.part} aria-label={codeWords.sharedCode}>
          <h3>{codeWords.sharedCode}</h3>
          <SharedFiles />
        </section>
      )}
      {canEdit && (
        <section className={styles.part} aria-label={words.keys}>
          <h3>{words.keys}</h3>
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
