import { Plus } from 'lucide-react';
import { inspectorWords as words } from '../../../text/strings/inspector.ts';
import { Button } from '../../../ui/button.tsx';
import { useEditor, useReading } from '../../editor-context.tsx';
import styles from '../inspector.module.css';
import { declared, freeName } from './parameter-commands.ts';
import { ParameterRow } from './parameter-row.tsx';

/** The parameters of the pipeline, and who takes them. */
export function Parameters() {
  const { actions, canEdit } = useEditor();
  const { pipeline } = useReading();
  const { parameters } = pipeline;
  if (parameters.size === 0 && !canEdit) return null;
  const add = (): void => {
    const name = freeName(parameters, 'parameter');
    actions.run(declared(name, { type: 'string', default: '', description: undefined }));
  };
  return (
    <section className={styles.part} aria-label={words.parameters}>
      <h3>{words.parameters}</h3>
      {parameters.size === 0 && <p className={styles.about}>{words.parametersAbout}</p>}
      {[...parameters].map(([name, parameter]) => (
        <ParameterRow key={name} name={name} parameter={parameter} />
      ))}
      {canEdit && (
        <span>
          <Button size="small" look="quiet" flush icon={Plus} onClick={add}>
            {words.addParameter}
          </Button>
        </span>
      )}
    </section>
  );
}
