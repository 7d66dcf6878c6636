import { aggregateSetting } from '@millrace/graph';
import { Trash2 } from 'lucide-react';
import type { ComponentType } from 'react';
import { z } from 'zod';
import { inspectorWords as words } from '../../../text/strings/inspector.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import styles from './controls.module.css';
import { type ControlOf, Select } from './controls.tsx';
import { ExpressionControl } from './expression-control.tsx';
import type { FormField } from './form-field.ts';
import type { FormFieldsProps } from './form-fields.tsx';
import { formOf } from './form-of.ts';
import { addedRow, type Rows, renamedRow, rowsOf, withoutRow, withRow } from './named-rows.ts';
import { AddButton, NameInput } from './row-parts.tsx';
import { SettingIn } from './setting-path.tsx';

const [FIGURE] = formOf(z.object({ figure: aggregateSetting }));
const VARIANTS = FIGURE?.shape.kind === 'variant' ? FIGURE.shape.variants : [];

export interface AggregatesControlProps extends ControlOf {
  /** How the settings of one aggregate are drawn: forms lie in each other. */
  readonly form: ComponentType<FormFieldsProps>;
}

/** Figures of a window: a field each, and how it is computed. */
export function AggregatesControl({ value, onChange, disabled, form: Form }: AggregatesControlProps) {
  return (
    <div className={styles.rows}>
      {rowsOf(value).map(([name, content]) => {
        const before = Object.fromEntries(rowsOf(content));
        const { type, of } = before;
        const kind = String(type ?? '');
        const others = fieldsOf(kind).filter((field) => field.name !== 'of');
        return (
          <div key={name} className={styles.block}>
            <div className={styles.head}>
              <NameInput
                name={name}
                label={words.outputField}
                onRename={(next) => onChange(renamedRow(value, name, next))}
                disabled={disabled}
              />
              <Select
                aria-label={words.howComputed(name)}
                disabled={disabled}
                value={kind}
                onChange={({ target }) => onChange(withRow(value, name, chosen(target.value, before)))}
                options={[...new Set([...VARIANTS.map((one) => one.name), kind])].map((one) => ({
                  value: one,
                  label: one,
                }))}
              />
              <IconButton
                size="small"
                icon={Trash2}
                label={words.removeNamed(name)}
                disabled={disabled}
                onClick={() => onChange(withoutRow(value, name))}
              />
            </div>
            {kind !== 'count' && (
              <SettingIn name={name}>
                <SettingIn name="of">
                  <ExpressionControl
                    shape={{ kind: 'expression' }}
                    value={of}
                    label={words.figureOf(name)}
                    disabled={disabled ?? false}
                    onChange={(next) => onChange(withRow(value, name, { ...before, of: next ?? '' }))}
                  />
                </SettingIn>
              </SettingIn>
            )}
            {others.length > 0 && (
              <SettingIn name={name}>
                <Form
                  fields={others}
                  config={before}
                  disabled={disabled ?? false}
                  onChange={(field, next) =>
                    onChange(
                      withRow(
                        value,
                        name,
                        next === undefined ? withoutRow(before, field) : { ...before, [field]: next },
                      ),
                    )
                  }
                />
              </SettingIn>
            )}
          </div>
        );
      })}
      <AddButton disabled={disabled} onAdd={() => onChange(addedRow(value, 'count', { type: 'count' }))} />
    </div>
  );
}

function fieldsOf(kind: string): readonly FormField[] {
  return VARIANTS.find((one) => one.name === kind)?.fields ?? [];
}

/** What the new kind has in common with the old one stays; what it needs has a beginning. */
function chosen(kind: string, before: Rows): Rows {
  const needed: Rows = { of: 'value', by: 'value', k: 10, at: [0.5] };
  const fields = fieldsOf(kind).flatMap(({ name, isRequired }) => {
    const given = before[name] ?? (isRequired ? needed[name] : undefined);
    return given === undefined ? [] : [[name, given] as const];
  });
  return { type: kind, ...Object.fromEntries(fields) };
}
