import {
  expected,
  isParameterName,
  PARAMETER_TYPES,
  type Parameter,
  type ParameterType,
  readParameter,
} from '@millrace/graph';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { inspectorWords as words } from '../../../text/strings/inspector.ts';
import { Field } from '../../../ui/field.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { TextInput } from '../../../ui/text-input.tsx';
import { useEditor, useReading } from '../../editor-context.tsx';
import { asOneStep } from '../../gesture.ts';
import { Select } from '../form/controls.tsx';
import { useBuffered } from '../form/use-buffered.ts';
import { declared, renamedParameter, takersOf } from './parameter-commands.ts';
import styles from './parameters.module.css';

export interface ParameterRowProps {
  readonly name: string;
  readonly parameter: Parameter;
}

/** One parameter: its name and type, its default, what it is for, who takes it. */
export function ParameterRow({ name, parameter }: ParameterRowProps) {
  const { actions, canEdit } = useEditor();
  const { pipeline } = useReading();
  const [fault, setFault] = useState<string>();
  const set = (change: Partial<Parameter>): void => {
    actions.run(declared(name, { ...parameter, ...change }));
  };
  const rename = useBuffered(
    name,
    (text) => {
      const next = text.trim();
      const refusal = nameFault(next, name, pipeline.parameters);
      setFault(refusal);
      if (refusal !== undefined || next === name) return;
      asOneStep((gesture) => {
        for (const command of renamedParameter(pipeline, name, next)) actions.run(command, gesture);
      });
    },
    'at-end',
  );
  const help = useBuffered(parameter.description ?? '', (text) =>
    set({ description: text.trim() === '' ? undefined : text.trim() }),
  );
  const takers = takersOf(pipeline, name).map((node) => node.name);
  return (
    <div className={styles.parameter}>
      <div className={styles.head}>
        <TextInput
          {...rename}
          size="small"
          isCode
          aria-label={words.parameterName}
          aria-invalid={fault === undefined ? undefined : true}
          disabled={!canEdit}
          autoComplete="off"
          maxLength={100}
        />
        <Select
          aria-label={words.parameterType}
          disabled={!canEdit}
          value={parameter.type}
          onChange={({ target }) => set(retyped(parameter, target.value as ParameterType))}
          options={PARAMETER_TYPES.map((type) => ({ value: type, label: type }))}
        />
        {canEdit && (
          <IconButton
            size="small"
            icon={Trash2}
            label={words.removeParameter(name)}
            onClick={() => actions.run({ kind: 'delete-parameter', parameter: name })}
          />
        )}
      </div>
      {fault !== undefined && <p className={styles.fault}>{fault}</p>}
      <Default key={parameter.type} parameter={parameter} disabled={!canEdit} onChange={set} />
      <TextInput
        {...help}
        size="small"
        placeholder={words.parameterHelp}
        aria-label={words.parameterHelp}
        disabled={!canEdit}
        maxLength={1_000}
        autoComplete="off"
      />
      <p className={styles.takers}>{words.usedBy(takers)}</p>
    </div>
  );
}

interface DefaultProps {
  readonly parameter: Parameter;
  readonly disabled: boolean;
  readonly onChange: (change: Partial<Parameter>) => void;
}

/** Empty: it must be given by whoever runs the pipeline. A text may be empty itself. */
function Default({ parameter: { type, default: value }, disabled, onChange }: DefaultProps) {
  const [fault, setFault] = useState<string>();
  const buffer = useBuffered(value === undefined ? '' : String(value), (text) => {
    const given = text === '' && type !== 'string' ? undefined : readParameter(type, text);
    const isWrong = given === undefined && text !== '';
    setFault(isWrong ? words.notOfType(expected(type)) : undefined);
    if (!isWrong) onChange({ default: given });
  });
  if (type === 'boolean') {
    return (
      <Field label={words.parameterDefault}>
        {(control) => (
          <Select
            {...control}
            disabled={disabled}
            value={value === undefined ? '' : String(value)}
            data-unset={value === undefined}
            onChange={({ target }) => onChange({ default: readParameter('boolean', target.value) })}
            options={[
              { value: '', label: words.mustBeGiven },
              { value: 'true', label: words.yes },
              { value: 'false', label: words.no },
            ]}
          />
        )}
      </Field>
    );
  }
  return (
    <Field label={words.parameterDefault} error={fault}>
      {(control) => (
        <TextInput
          {...control}
          {...buffer}
          size="small"
          isCode
          placeholder={type === 'string' ? '' : words.mustBeGiven}
          disabled={disabled}
          autoComplete="off"
        />
      )}
    </Field>
  );
}

/** The default stays where it can be read as the new type. */
function retyped({ default: value }: Parameter, type: ParameterType): Partial<Parameter> {
  const kept =
    value === undefined ? undefined : readParameter(type, type === 'string' ? String(value) : value);
  return { type, default: kept };
}

function nameFault(next: string, name: string, taken: ReadonlyMap<string, Parameter>): string | undefined {
  if (next === name) return undefined;
  if (!isParameterName(next)) return words.badParameterName;
  return taken.has(next) ? words.nameTaken(next) : undefined;
}
