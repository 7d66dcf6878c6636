import { parameterOf, secretOf } from '@millrace/graph';
import { ChevronDown, KeyRound, SlidersHorizontal, X } from 'lucide-react';
import type { ComponentProps } from 'react';
import type { ControlProps } from '../../../ui/field.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { TextArea, TextInput } from '../../../ui/text-input.tsx';
import styles from './controls.module.css';
import type { FieldShape, FormField } from './form-field.ts';
import { useBuffered } from './use-buffered.ts';

export interface ControlOf<S extends FieldShape = FieldShape> {
  readonly shape: S;
  readonly value: unknown;
  readonly fallback?: FormField['fallback'];
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

/** TypeScript: grows with what is written. */
export function ExpressionControl({ value, fallback, onChange, control, label, disabled }: ControlOf) {
  const buffer = useBuffered(shown(value), (text) => onChange(text.trim() === '' ? undefined : text));
  const lines = Math.min(
    8,
    Math.max(1, Math.ceil(buffer.value.length / 38), buffer.value.split('\n').length),
  );
  return (
    <span className={styles.expression}>
      <TextArea
        {...control}
        {...buffer}
        isCode
        rows={lines}
        placeholder={fallback ?? ''}
        aria-label={label}
        disabled={disabled}
        spellCheck={false}
        autoComplete="off"
      />
    </span>
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
      placeholder={fallback ?? shape.words.join(' or ')}
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
        { value: '', label: fallback === undefined ? 'choose…' : `${fallback} (default)` },
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
        { value: '', label: fallback ?? 'not set' },
        { value: 'true', label: 'yes' },
        { value: 'false', label: 'no' },
      ]}
    />
  );
}

/** The name of a secret, never its value; where a plain text is allowed one chooses which. */
export function SecretControl({ shape, value, onChange, control, label, disabled, fallback }: Of<'secret'>) {
  const name = secretOf(value) ?? secretDraft(value);
  const isSecret = !shape.orText || name !== undefined;
  const buffer = useBuffered(name ?? '', (text) => onChange({ secret: text.trim() }));
  const toggle = (
    <IconButton
      size="small"
      icon={KeyRound}
      label={isSecret ? 'Write it as text' : 'Take it from a secret'}
      pressed={isSecret}
      disabled={disabled}
      onClick={() => onChange(isSecret ? undefined : { secret: '' })}
    />
  );
  if (!isSecret) {
    const text = {
      shape,
      value,
      onChange,
      control: control ?? {},
      label: label ?? '',
      disabled: disabled ?? false,
    };
    return (
      <span className={styles.pair}>
        <LineControl {...text} fallback={fallback} />
        {toggle}
      </span>
    );
  }
  return (
    <span className={styles.pair}>
      <TextInput
        {...control}
        {...buffer}
        size="small"
        isCode
        icon={KeyRound}
        placeholder="name of a secret"
        aria-label={label}
        disabled={disabled}
        autoComplete="off"
      />
      {shape.orText && toggle}
    </span>
  );
}

function secretDraft(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, 'secret')) return undefined;
  const { secret } = value as { secret?: unknown };
  return typeof secret === 'string' ? secret : undefined;
}

/** A setting that takes its value from a parameter of the pipeline. */
export const ParameterPill = ({
  name,
  onClear,
  disabled,
}: {
  name: string;
  onClear: () => void;
  disabled?: boolean;
}) => (
  <span className={styles.pill}>
    <Icon of={SlidersHorizontal} size={14} />
    <span>
      parameter <code>{name}</code>
    </span>
    {!disabled && <IconButton size="small" icon={X} label="Write a value instead" onClick={onClear} />}
  </span>
);

export const parameterIn = (value: unknown): string | undefined => parameterOf(value);

function shown(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
