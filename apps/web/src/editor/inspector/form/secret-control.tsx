import { secretOf } from '@millrace/graph';
import { KeyRound } from 'lucide-react';
import { inspectorWords as words } from '../../../text/strings/inspector.ts';
import type { ControlProps } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Select } from '../../../ui/select.tsx';
import { TextInput } from '../../../ui/text-input.tsx';
import styles from './controls.module.css';
import { type ControlOf, LineControl, secretDraft } from './controls.tsx';
import { useFormSurroundings } from './form-context.tsx';
import type { FieldShape } from './form-field.ts';
import { NEW_SECRET, secretOptions } from './secret-options.ts';

/** The name of a secret, chosen, never typed: what is pasted into a draft would be there for all to read. */
export function SecretControl(props: ControlOf<Extract<FieldShape, { kind: 'secret' }>>) {
  const { shape, value, control, label, disabled, onChange } = props;
  const { secrets, newSecret } = useFormSurroundings();
  const name = secretOf(value) ?? secretDraft(value);
  if (shape.orText && name === undefined) return <LineControl {...props} />;
  const isLiteral = name === undefined && value !== undefined;
  if (disabled || secrets === undefined) {
    return (
      <TextInput
        {...control}
        size="small"
        isCode
        icon={KeyRound}
        value={name ?? ''}
        placeholder={words.nameOfSecret}
        aria-label={label}
        disabled
        readOnly
      />
    );
  }
  const choose = (chosen: string): void => {
    if (chosen !== NEW_SECRET) onChange({ secret: chosen });
    else newSecret?.((written) => onChange({ secret: written }));
  };
  const options = secretOptions(secrets, name, newSecret !== undefined);
  return (
    <>
      {isLiteral && <Notice tone="error">{words.literalInSecret}</Notice>}
      {options.length === 0 ? (
        <p className={styles.warn}>{words.noSecrets}</p>
      ) : (
        <Select
          {...(hasId(control) ? { control } : {})}
          {...(label === undefined ? {} : { label })}
          size="small"
          value={name === '' ? undefined : name}
          placeholder={words.chooseSecret}
          options={options}
          onChange={choose}
        />
      )}
      {name !== undefined && name !== '' && !secrets.includes(name) && (
        <p className={styles.warn}>{words.secretIsMissing(name)}</p>
      )}
    </>
  );
}

const hasId = (control: Partial<ControlProps> | undefined): control is ControlProps =>
  control?.id !== undefined;
