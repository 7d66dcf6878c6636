/** A form from its fields. Forms lie in each other, so the controls that hold forms are here too. */
import { CircleHelp, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { inspectorWords as words } from '../../../text/strings/inspector.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Prose, spoken } from '../../../ui/prose.tsx';
import { Tooltip } from '../../../ui/tooltip.tsx';
import { AggregatesControl } from './aggregates-control.tsx';
import controls from './controls.module.css';
import {
  BooleanControl,
  ChoiceControl,
  type ControlOf,
  LineControl,
  NumberControl,
  ParameterPill,
  parameterIn,
  Select,
} from './controls.tsx';
import { ExpressionControl } from './expression-control.tsx';
import { type Faults, faultOf, faultsIn } from './faults.ts';
import type { FieldShape, FormField } from './form-field.ts';
import styles from './form-fields.module.css';
import { JsonControl } from './json-control.tsx';
import { addedRow, renamedRow, rowsOf, withoutRow, withRow } from './named-rows.ts';
import { AddButton, NameInput } from './row-parts.tsx';
import { SecretControl } from './secret-control.tsx';
import { SettingIn } from './setting-path.tsx';
import { ValueSource } from './value-source.tsx';

export interface FormFieldsProps {
  readonly fields: readonly FormField[];
  readonly config: Readonly<Record<string, unknown>>;
  readonly disabled: boolean;
  readonly faults?: Faults | undefined;
  readonly onChange: (name: string, value: unknown) => void;
}

/** Fields with their help and their faults; what few need is folded, unless it is set or wrong. */
export function FormFields({ fields, config, disabled, faults, onChange }: FormFieldsProps) {
  const [isOpen, setIsOpen] = useState(false);
  const isFolded = (field: FormField): boolean =>
    field.isAdvanced &&
    !isOpen &&
    config[field.name] === undefined &&
    faultOf(faults, field, undefined) === undefined;
  const folded = fields.filter(isFolded);
  return (
    <div className={styles.fields}>
      {fields
        .filter((field) => !isFolded(field))
        .map((field) => (
          <Field
            key={field.name}
            label={field.label}
            error={faultOf(faults, field, config[field.name])}
            aside={
              <span className={styles.aside}>
                <Help field={field} />
                {!disabled && (
                  <ValueSource
                    field={field}
                    value={config[field.name]}
                    onChange={(value) => onChange(field.name, value)}
                  />
                )}
              </span>
            }
          >
            {(control) => (
              <SettingIn name={field.name}>
                <FieldControl
                  shape={field.shape}
                  value={config[field.name]}
                  fallback={field.fallback}
                  faults={faultsIn(faults, field.name)}
                  control={control}
                  disabled={disabled}
                  onChange={(value) => onChange(field.name, value)}
                />
              </SettingIn>
            )}
          </Field>
        ))}
      {folded.length > 0 && (
        <span>
          <Button size="small" look="quiet" flush onClick={() => setIsOpen(true)}>
            {words.moreSettings(folded.length)}
          </Button>
        </span>
      )}
    </div>
  );
}

function Help({ field: { help, isRequired, label } }: { readonly field: FormField }) {
  return (
    <>
      {!isRequired && <span>{words.optional}</span>}
      {help !== '' && (
        <Tooltip
          text={
            <span className={styles.help}>
              <Prose text={help} />
            </span>
          }
          side="left"
        >
          <button type="button" className={styles.ask} aria-label={words.helpOf(label, spoken(help))}>
            <Icon of={CircleHelp} size={14} />
          </button>
        </Tooltip>
      )}
    </>
  );
}

/** What holds while nothing is added. */
const Unset = ({ fallback }: { readonly fallback: string | undefined }) =>
  fallback !== undefined && <p className={controls.unset}>{words.byDefault(fallback)}</p>;

type Of<K extends FieldShape['kind']> = ControlOf<Extract<FieldShape, { kind: K }>>;

/** The control of one setting, by its shape. */
function FieldControl(props: ControlOf) {
  const { shape, value, onChange, disabled } = props;
  const parameter = parameterIn(value);
  if (parameter !== undefined) {
    return (
      <ParameterPill name={parameter} disabled={disabled ?? false} onClear={() => onChange(undefined)} />
    );
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
      return <AggregatesControl {...props} form={FormFields} />;
    case 'json':
      return <JsonControl {...props} />;
    default:
      return <LineControl {...props} />;
  }
}

function ListControl({ shape, value, fallback, faults, onChange, label, disabled }: Of<'list'>) {
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  const replaced = (i: number, next: unknown): void => {
    const left = items.map((item, at) => (at === i ? next : item)).filter((item) => item !== undefined);
    onChange(left.length === 0 ? undefined : left);
  };
  const isDeep = shape.item.kind === 'object';
  return (
    <div className={controls.rows}>
      {items.length === 0 && <Unset fallback={fallback} />}
      {items.map((item, i) => {
        const name = `${label ?? ''} ${i + 1}`;
        const remove = (
          <IconButton
            size="small"
            icon={Trash2}
            label={isDeep ? words.removeNamed(name) : words.remove}
            disabled={disabled}
            onClick={() => replaced(i, undefined)}
          />
        );
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a list's items are its places
          <div key={i} className={isDeep ? controls.block : controls.row}>
            {isDeep && (
              <div className={controls.head}>
                <span>{name}</span>
                <span />
                {remove}
              </div>
            )}
            <SettingIn name={i}>
              <FieldControl
                shape={shape.item}
                value={item}
                label={name}
                faults={faultsIn(faults, i)}
                disabled={disabled ?? false}
                onChange={(next) => replaced(i, next)}
              />
            </SettingIn>
            {!isDeep && remove}
          </div>
        );
      })}
      <AddButton disabled={disabled} onAdd={() => onChange([...items, isDeep ? {} : ''])} />
    </div>
  );
}

function RecordControl({ shape, value, fallback, faults, onChange, label, disabled }: Of<'record'>) {
  const rows = rowsOf(value);
  const isDeep = shape.value.kind === 'object';
  return (
    <div className={controls.rows}>
      {rows.length === 0 && <Unset fallback={fallback} />}
      {rows.map(([name, content]) => (
        <div key={name} className={controls.block}>
          <div className={controls.head}>
            <NameInput
              name={name}
              label={words.nameOf(label ?? '')}
              onRename={(next) => onChange(renamedRow(value, name, next))}
              disabled={disabled}
            />
            <span />
            <IconButton
              size="small"
              icon={Trash2}
              label={words.removeNamed(name)}
              disabled={disabled}
              onClick={() => onChange(withoutRow(value, name))}
            />
          </div>
          <SettingIn name={name}>
            <FieldControl
              shape={shape.value}
              value={content}
              label={name}
              faults={faultsIn(faults, name)}
              disabled={disabled ?? false}
              onChange={(next) => onChange(withRow(value, name, next ?? (isDeep ? {} : '')))}
            />
          </SettingIn>
        </div>
      ))}
      <AddButton disabled={disabled} onAdd={() => onChange(addedRow(value, 'name', isDeep ? {} : ''))} />
    </div>
  );
}

function ObjectControl({ shape, value, faults, onChange, label, disabled }: Of<'object'>) {
  const before = Object.fromEntries(rowsOf(value));
  return (
    // A row frames its form; that of a setting stands in from the others.
    <div className={label === undefined ? controls.inner : undefined}>
      <FormFields
        fields={shape.fields}
        config={before}
        disabled={disabled ?? false}
        faults={faults}
        onChange={(name, next) =>
          onChange(next === undefined ? (withoutRow(value, name) ?? {}) : { ...before, [name]: next })
        }
      />
    </div>
  );
}

/** One of several forms; what they have in common is kept when another is chosen. */
function VariantControl({ shape, value, faults, onChange, label, control, disabled }: Of<'variant'>) {
  const { short } = shape;
  const before: Readonly<Record<string, unknown>> =
    typeof value === 'string' && value !== '' && short !== undefined
      ? { [shape.tag]: short[0], [short[1]]: value }
      : Object.fromEntries(rowsOf(value));
  const chosen = shape.variants.find(({ name }) => name === before[shape.tag]);
  const choose = (name: string): void => {
    const variant = shape.variants.find((one) => one.name === name);
    if (variant === undefined) return onChange(undefined);
    const common = variant.fields.filter((field) => before[field.name] !== undefined);
    onChange({
      [shape.tag]: name,
      ...Object.fromEntries(common.map((field) => [field.name, before[field.name]])),
    });
  };
  return (
    <div className={controls.rows}>
      <Select
        {...control}
        aria-label={label}
        disabled={disabled}
        value={chosen?.name ?? ''}
        data-unset={chosen === undefined}
        onChange={(event) => choose(event.target.value)}
        options={[
          ...(chosen === undefined ? [{ value: '', label: words.choose }] : []),
          ...shape.variants.map(({ name }) => ({ value: name, label: name })),
        ]}
      />
      {chosen !== undefined && chosen.fields.length > 0 && (
        <div className={controls.inner}>
          <FormFields
            fields={chosen.fields}
            config={before}
            disabled={disabled ?? false}
            faults={faults}
            onChange={(name, next) =>
              onChange(next === undefined ? withoutRow(before, name) : { ...before, [name]: next })
            }
          />
        </div>
      )}
    </div>
  );
}
