import { Plus, Trash2 } from 'lucide-react';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { TextInput } from '../../../ui/text-input.tsx';
import {
  BooleanControl,
  ChoiceControl,
  type ControlOf,
  ExpressionControl,
  LineControl,
  NumberControl,
  ParameterPill,
  parameterIn,
  SecretControl,
  Select,
} from './controls.tsx';
import styles from './controls.module.css';
import type { FieldShape } from './form-field.ts';
import { FormFields } from './form-fields.tsx';
import { addedRow, renamedRow, rowsOf, withoutRow, withRow } from './named-rows.ts';
import { useBuffered } from './use-buffered.ts';

type Of<K extends FieldShape['kind']> = ControlOf<Extract<FieldShape, { kind: K }>>;

/** The control of one setting, by its shape. */
export function FieldControl(props: ControlOf) {
  const { shape, value, onChange, disabled } = props;
  const parameter = parameterIn(value);
  if (parameter !== undefined) {
    return <ParameterPill name={parameter} disabled={disabled ?? false} onClear={() => onChange(undefined)} />;
  }
  switch (shape.kind) {
    case 'expression':
    case 'type':
      return <ExpressionControl {...props} />;
    case 'number':
      return <NumberControl {...props} shape={shape} />;
    case 'choice':
      return <ChoiceControl {...props} shape={shape} />;
    case 'boolean':
      return <BooleanControl {...props} />;
    case 'secret':
      return <SecretControl {...props} shape={shape} />;
    case 'list':
      return <ListControl {...props} shape={shape} />;
    case 'record':
      return <RecordControl {...props} shape={shape} />;
    case 'object':
      return <ObjectControl {...props} shape={shape} />;
    case 'variant':
      return <VariantControl {...props} shape={shape} />;
    case 'aggregates':
      return <AggregatesControl {...props} />;
    case 'json':
      return <JsonControl {...props} />;
    default:
      return <LineControl {...props} />;
  }
}

function ListControl({ shape, value, onChange, label, disabled }: Of<'list'>) {
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  const replaced = (i: number, next: unknown): void => {
    const left = items.map((item, at) => (at === i ? next : item)).filter((item) => item !== undefined);
    onChange(left.length === 0 ? undefined : left);
  };
  return (
    <div className={styles.rows}>
      {items.map((item, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a list's items are its places
        <div key={i} className={styles.row}>
          <FieldControl
            shape={shape.item}
            value={item}
            label={`${label ?? ''} ${i + 1}`}
            disabled={disabled ?? false}
            onChange={(next) => replaced(i, next)}
          />
          <IconButton size="small" icon={Trash2} label="Remove" disabled={disabled} onClick={() => replaced(i, undefined)} />
        </div>
      ))}
      <AddButton disabled={disabled} onAdd={() => onChange([...items, ''])} />
    </div>
  );
}

function RecordControl({ shape, value, onChange, label, disabled }: Of<'record'>) {
  const isDeep = shape.value.kind === 'object';
  return (
    <div className={styles.rows}>
      {rowsOf(value).map(([name, content]) => (
        <div key={name} className={styles.block}>
          <div className={styles.head}>
            <NameInput name={name} label={`${label ?? ''} name`} onRename={(next) => onChange(renamedRow(value, name, next))} disabled={disabled} />
            <span />
            <IconButton size="small" icon={Trash2} label={`Remove ${name}`} disabled={disabled} onClick={() => onChange(withoutRow(value, name))} />
          </div>
          <FieldControl
            shape={shape.value}
            value={content}
            label={name}
            disabled={disabled ?? false}
            onChange={(next) => onChange(withRow(value, name, next ?? (isDeep ? {} : '')))}
          />
        </div>
      ))}
      <AddButton disabled={disabled} onAdd={() => onChange(addedRow(value, 'name', isDeep ? {} : ''))} />
    </div>
  );
}

function ObjectControl({ shape, value, onChange, disabled }: Of<'object'>) {
  const before = Object.fromEntries(rowsOf(value));
  return (
    <FormFields
      fields={shape.fields}
      config={before}
      disabled={disabled ?? false}
      onChange={(name, next) => onChange(next === undefined ? (withoutRow(value, name) ?? {}) : { ...before, [name]: next })}
    />
  );
}

/** One of several forms; what they have in common is kept when another is chosen. */
function VariantControl({ shape, value, onChange, label, control, disabled }: Of<'variant'>) {
  const before = Object.fromEntries(rowsOf(value));
  const chosen = shape.variants.find(({ name }) => name === before[shape.tag]);
  const choose = (name: string): void => {
    const variant = shape.variants.find((one) => one.name === name);
    if (variant === undefined) return onChange(undefined);
    const common = variant.fields.filter((field) => before[field.name] !== undefined);
    onChange({ [shape.tag]: name, ...Object.fromEntries(common.map((field) => [field.name, before[field.name]])) });
  };
  return (
    <div className={styles.rows}>
      <Select
        {...control}
        aria-label={label}
        disabled={disabled}
        value={chosen?.name ?? ''}
        data-unset={chosen === undefined}
        onChange={(event) => choose(event.target.value)}
        options={[
          ...(chosen === undefined ? [{ value: '', label: 'choose…' }] : []),
          ...shape.variants.map(({ name }) => ({ value: name, label: name })),
        ]}
      />
      {chosen !== undefined && chosen.fields.length > 0 && (
        <div className={styles.inner}>
          <FormFields
            fields={chosen.fields}
            config={before}
            disabled={disabled ?? false}
            onChange={(name, next) =>
              onChange(next === undefined ? withoutRow(before, name) : { ...before, [name]: next })
            }
          />
        </div>
      )}
    </div>
  );
}

const AGGREGATES = ['count', 'sum', 'min', 'max', 'avg'];

function AggregatesControl({ value, onChange, disabled }: ControlOf) {
  return (
    <div className={styles.rows}>
      {rowsOf(value).map(([name, content]) => {
        const { type, of } = Object.fromEntries(rowsOf(content));
        const kind = String(type ?? '');
        return (
          <div key={name} className={styles.block}>
            <div className={styles.head}>
              <NameInput name={name} label="Output field" onRename={(next) => onChange(renamedRow(value, name, next))} disabled={disabled} />
              <Select
                aria-label={`How ${name} is computed`}
                disabled={disabled}
                value={kind}
                onChange={({ target }) =>
                  onChange(withRow(value, name, target.value === 'count' ? { type: 'count' } : { type: target.value, of: of ?? 'value' }))
                }
                options={[...new Set([...AGGREGATES, kind])].map((one) => ({ value: one, label: one }))}
              />
              <IconButton size="small" icon={Trash2} label={`Remove ${name}`} disabled={disabled} onClick={() => onChange(withoutRow(value, name))} />
            </div>
            {kind !== 'count' && (
              <ExpressionControl
                shape={{ kind: 'expression' }}
                value={of}
                label={`${name} of`}
                disabled={disabled ?? false}
                onChange={(next) => onChange(withRow(value, name, { type, of: next ?? '' }))}
              />
            )}
          </div>
        );
      })}
      <AddButton disabled={disabled} onAdd={() => onChange(addedRow(value, 'count', { type: 'count' }))} />
    </div>
  );
}

interface NameInputProps {
  readonly name: string;
  readonly label: string;
  readonly onRename: (next: string) => void;
  readonly disabled: boolean | undefined;
}

function NameInput({ name, label, onRename, disabled }: NameInputProps) {
  const buffer = useBuffered(name, (text) => onRename(text.trim()));
  // A name is written when the field is left: half of it may be another row's.
  const { onChange, ...rest } = buffer;
  return <TextInput {...rest} onChange={onChange} size="small" isCode aria-label={label} disabled={disabled} autoComplete="off" />;
}

function JsonControl({ value, onChange, label, control, disabled }: ControlOf) {
  const write = (text: unknown): void => {
    try {
      onChange(text === undefined ? undefined : JSON.parse(String(text)));
    } catch {
      onChange(text);
    }
  };
  const text = value === undefined ? undefined : JSON.stringify(value);
  return (
    <ExpressionControl
      shape={{ kind: 'json' }}
      value={text}
      control={control ?? {}}
      label={label ?? ''}
      disabled={disabled ?? false}
      onChange={write}
    />
  );
}

const AddButton = ({ onAdd, disabled }: { onAdd: () => void; disabled: boolean | undefined }) => (
  <span className={styles.add}>
    <Button size="small" look="quiet" icon={Plus} onClick={onAdd} disabled={disabled}>
      Add
    </Button>
  </span>
);
