/** Fields of a case: a value as JSON, a time. What is typed and is neither stays in the field and is told. */
import { useId, useState } from 'react';
import { caseWords as words } from '../../text/strings/cases.ts';
import { TextArea, TextInput } from '../../ui/text-input.tsx';
import { useBuffered } from '../inspector/form/use-buffered.ts';
import { readTime, timeText } from './case-time.ts';
import styles from './cases.module.css';
import { compactJson, prettyJson } from './exact-json.ts';

export interface CaseFieldProps<T> {
  readonly label: string;
  readonly value: T;
  readonly disabled: boolean;
  readonly onChange: (value: T) => void;
}

const MOST_ROWS = 14;
/** Characters beside the names of fields, where panes are as narrow as they are at first. */
const NARROW = 24;

export function JsonField({ label, value, disabled, onChange }: CaseFieldProps<string>) {
  const { text, fault, events } = useChecked(prettyJson(value, NARROW), compactJson, onChange);
  const about = useId();
  return (
    <>
      <TextArea
        isCode
        {...events}
        value={text}
        rows={Math.min(MOST_ROWS, text.split('\n').length)}
        style={{ minHeight: 0 }}
        aria-label={label}
        aria-invalid={fault || undefined}
        aria-describedby={fault ? about : undefined}
        disabled={disabled}
        spellCheck={false}
        autoComplete="off"
      />
      {fault && (
        <p id={about} className={styles.fault}>
          {words.noJson}
        </p>
      )}
    </>
  );
}

export function TimeField({
  label,
  value,
  disabled,
  onChange,
  isOptional = false,
}: CaseFieldProps<number | undefined> & { readonly isOptional?: boolean }) {
  const read = (text: string): { readonly time: number | undefined } | undefined => {
    if (text.trim() === '' && isOptional) return { time: undefined };
    const time = readTime(text);
    return time === undefined ? undefined : { time };
  };
  const given = value === undefined ? '' : timeText(value);
  const { text, fault, events } = useChecked(given, read, ({ time }) => onChange(time));
  const about = useId();
  return (
    <>
      <TextInput
        isCode
        size="small"
        {...events}
        value={text}
        aria-label={label}
        aria-invalid={fault || undefined}
        aria-describedby={fault ? about : undefined}
        {...(isOptional && { placeholder: words.timeHint })}
        disabled={disabled}
        spellCheck={false}
        autoComplete="off"
      />
      {fault && (
        <p id={about} className={styles.fault}>
          {words.noTime}
        </p>
      )}
    </>
  );
}

export function KeyField({
  label,
  value,
  disabled,
  onChange,
  placeholder,
}: CaseFieldProps<string> & { readonly placeholder?: string }) {
  const buffer = useBuffered(value, onChange);
  return (
    <TextInput
      isCode
      size="small"
      {...buffer}
      aria-label={label}
      placeholder={placeholder ?? words.noKey}
      disabled={disabled}
      spellCheck={false}
      autoComplete="off"
    />
  );
}

/** A text of which only what can be read is written; the rest stays to be corrected. */
function useChecked<T>(given: string, read: (text: string) => T | undefined, onChange: (value: T) => void) {
  const [broken, setBroken] = useState<string>();
  const buffer = useBuffered(given, (text) => {
    const value = read(text);
    if (value !== undefined) onChange(value);
  });
  return {
    text: broken ?? buffer.value,
    fault: broken !== undefined,
    events: {
      onChange: (event: { readonly target: { readonly value: string } }) => {
        const { value } = event.target;
        if (read(value) === undefined) return setBroken(value);
        setBroken(undefined);
        buffer.onChange(event);
      },
      onBlur: buffer.onBlur,
      onKeyDown: buffer.onKeyDown,
    },
  };
}
