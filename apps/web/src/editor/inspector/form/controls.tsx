import { parameterOf } from '@millrace/graph';
import { ChevronDown, SlidersHorizontal, X } from 'lucide-react';
import type { ComponentProps } from 'react';
import { inspectorWords as words } from '../../../text/strings/inspector.ts';
import type { ControlProps } from '../../../ui/field.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { TextInput } from '../../../ui/text-input.tsx';
import styles from './controls.module.css';
import type { Faults } from './faults.ts';
import { useFormSurroundings } from './form-context.tsx';
import type { FieldShape, FormField } from './form-field.ts';
import { useBuffered } from './use-buffered.ts';

export interface ControlOf<S extends FieldShape = FieldShape> {
  readonly shape: S;
  readonly value: unknown;
  readonly fallback?: FormField['fallback'];
  /** What is wrong within it, for the forms it holds. */
  readonly faults?: Faults | undefined;
  /** `undefined` removes the setting. */
  readonly onChange: (value: unknown) => void;
  readonly control?: Partial<ControlProps>;
  readonly label?: string;
  readonly disabled?: boolean;
}

type Of<K extends FieldShape['kind']> = ControlOf<Extract<FieldShape, { kind: K }>>;

export function LineControl({
  value,
  fallback,
  onChange,
  control,
  label,
  disabled,
  isCode,
}: ControlOf & { isCode?: boolean }) {
  const buffer = useBuffered(shown(value), (text) => onChange(text === '' ? undefined : text));
  return (
    <TextInput
      {...control}
      {...buffer}
      size="small"
      isCode={isCode ?? false}
      placeholder={fallback ?? ''}
      aria-label={label}
      disabled={disabled}
      spellCheck={false}
      autoComplete="off"
    />
  );
}

/** A number, or one of the words that may stand instead. What is no number is kept as text: the problem says so. */
export function NumberControl({ shape, value, fallback, onChange, control, label, disabled }: Of<'number'>) {
  const buffer = useBuffered(shown(value), (text) => {
    const number = Number(text.replaceAll(',', ''));
    const isText = text.trim() === '' || shape.words.includes(text.trim()) || !Number.isFinite(number);
    onChange(text.trim() === '' ? undefined : isText ? text.trim() : number);
  });
  return (
    <TextInput
      {...control}
      {...buffer}
      size="small"
      inputMode={shape.words.length > 0 ? 'text' : 'decimal'}
      placeholder={fallback ?? words.wordsOr(shape.words)}
      aria-label={label}
      disabled={disabled}
      autoComplete="off"
    />
  );
}

export interface SelectProps extends Omit<ComponentProps<'select'>, 'className'> {
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

export const Select = ({ options, ...rest }: SelectProps) => (
  <span className={styles.select}>
    <select {...rest}>
      {options.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
    <Icon of={ChevronDown} size={14} />
  </span>
);

export function ChoiceControl({ shape, value, fallback, onChange, control, label, disabled }: Of<'choice'>) {
  const text = shown(value);
  const isKnown = text === '' || shape.options.includes(text);
  return (
    <Select
      {...control}
      aria-label={label}
      disabled={disabled}
      value={text}
      data-unset={text === ''}
      onChange={(event) => onChange(event.target.value === '' ? undefined : event.target.value)}
      options={[
        { value: '', label: fallback === undefined ? words.choose : words.byDefault(fallback) },
        ...shape.options
          .filter((option) => option !== fallback)
          .map((option) => ({ value: option, label: option })),
        ...(text === fallback || !isKnown ? [{ value: text, label: text }] : []),
      ]}
    />
  );
}

export function BooleanControl({ value, fallback, onChange, control, label, disabled }: ControlOf) {
  return (
    <Select
      {...control}
      aria-label={label}
      disabled={disabled}
      value={typeof value === 'boolean' ? String(value) : ''}
      data-unset={typeof value !== 'boolean'}
      onChange={(event) => onChange(event.target.value === '' ? undefined : event.target.value === 'true')}
      options={[
        { value: '', label: unsetWords(fallback) },
        { value: 'true', label: words.yes },
        { value: 'false', label: words.no },
      ]}
    />
  );
}

const unsetWords = (fallback: string | undefined): string =>
  fallback === undefined
    ? words.notSet
    : words.byDefault(fallback === 'true' ? words.yes : fallback === 'false' ? words.no : fallback);

/** The name in a setting that is meant to be a secret, however incomplete. */
export function secretDraft(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, 'secret')) return undefined;
  const { secret } = value as { secret?: unknown };
  return typeof secret === 'string' ? secret : undefined;
}

/** A setting that takes its value from a parameter of the pipeline. */
export function ParameterPill({ name, onClear, disabled }: ParameterPillProps) {
  const parameter = useFormSurroundings().parameters.get(name);
  return (
    <span className={styles.pill} data-missing={parameter === undefined}>
      <Icon of={SlidersHorizontal} size={14} />
      <span className={styles.pillText} title={name}>
        <code>{name}</code>
        <small>
          {parameter === undefined ? words.noSuchParameter : String(parameter.default ?? words.mustBeGiven)}
        </small>
      </span>
      {!disabled && <IconButton size="small" icon={X} label={words.writeValue} onClick={onClear} />}
    </span>
  );
}

interface ParameterPillProps {
  readonly name: string;
  readonly onClear: () => void;
  readonly disabled?: boolean;
}

export const parameterIn = (value: unknown): string | undefined => parameterOf(value);

/** A setting as text to edit. */
export function shown(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
