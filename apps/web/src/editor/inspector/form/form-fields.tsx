import { CircleHelp } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Tooltip } from '../../../ui/tooltip.tsx';
import { FieldControl } from './field-control.tsx';
import type { FormField } from './form-field.ts';
import styles from './form-fields.module.css';

export interface FormFieldsProps {
  readonly fields: readonly FormField[];
  readonly config: Readonly<Record<string, unknown>>;
  readonly disabled: boolean;
  /** What is wrong with a field, by its name. */
  readonly faults?: ReadonlyMap<string, string>;
  readonly onChange: (name: string, value: unknown) => void;
}

/** Fields with their help and their faults; what few need is folded, unless it is set or wrong. */
export function FormFields({ fields, config, disabled, faults, onChange }: FormFieldsProps) {
  const [isOpen, setIsOpen] = useState(false);
  const isFolded = (field: FormField): boolean =>
    field.isAdvanced && !isOpen && config[field.name] === undefined && faults?.has(field.name) !== true;
  const folded = fields.filter(isFolded);
  return (
    <div className={styles.fields}>
      {fields
        .filter((field) => !isFolded(field))
        .map((field) => (
          <Field
            key={field.name}
            label={field.label}
            error={faults?.get(field.name)}
            aside={<Help field={field} />}
          >
            {(control) => (
              <FieldControl
                shape={field.shape}
                value={config[field.name]}
                fallback={field.fallback}
                control={control}
                disabled={disabled}
                onChange={(value) => onChange(field.name, value)}
              />
            )}
          </Field>
        ))}
      {folded.length > 0 && (
        <span>
          <Button size="small" look="quiet" onClick={() => setIsOpen(true)}>
            {folded.length} more settings
          </Button>
        </span>
      )}
    </div>
  );
}

function Help({ field: { help, isRequired, label } }: { readonly field: FormField }) {
  return (
    <span className={styles.aside}>
      {!isRequired && <span>optional</span>}
      {help !== '' && (
        <Tooltip text={<span className={styles.help}>{help}</span>} side="left">
          <button type="button" className={styles.ask} aria-label={`${label}: ${help}`}>
            <Icon of={CircleHelp} size={14} />
          </button>
        </Tooltip>
      )}
    </span>
  );
}
