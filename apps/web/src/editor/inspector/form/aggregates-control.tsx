import { Trash2 } from 'lucide-react';
import { inspectorWords as words } from '../../../text/strings/inspector.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import styles from './controls.module.css';
import { type ControlOf, Select } from './controls.tsx';
import { ExpressionControl } from './expression-control.tsx';
import { addedRow, renamedRow, rowsOf, withoutRow, withRow } from './named-rows.ts';
import { AddButton, NameInput } from './row-parts.tsx';
import { SettingIn } from './setting-path.tsx';

const AGGREGATES = ['count', 'sum', 'min', 'max', 'avg'];

/** Figures of a window: a field each, and how it is computed. */
export function AggregatesControl({ value, onChange, disabled }: ControlOf) {
  return (
    <div className={styles.rows}>
      {rowsOf(value).map(([name, content]) => {
        const { type, of } = Object.fromEntries(rowsOf(content));
        const kind = String(type ?? '');
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
                onChange={({ target }) =>
                  onChange(
                    withRow(
                      value,
                      name,
                      target.value === 'count'
                        ? { type: 'count' }
                        : { type: target.value, of: of ?? 'value' },
                    ),
                  )
                }
                options={[...new Set([...AGGREGATES, kind])].map((one) => ({ value: one, label: one }))}
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
                    onChange={(next) => onChange(withRow(value, name, { type, of: next ?? '' }))}
                  />
                </SettingIn>
              </SettingIn>
            )}
          </div>
        );
      })}
      <AddButton disabled={disabled} onAdd={() => onChange(addedRow(value, 'count', { type: 'count' }))} />
    </div>
  );
}
