import { PASSWORD_LENGTH } from '@millrace/protocol/api';
import { type FormEvent, useState } from 'react';
import { useAction } from '../api/use-action.ts';
import { commonWords } from '../text/strings/common.ts';
import { signInWords } from '../text/strings/sign-in.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { TextInput } from '../ui/text-input.tsx';
import styles from './account-form.module.css';
import { PasswordInput } from './password-input.tsx';

export interface AccountDetails {
  readonly email: string;
  readonly name: string;
  readonly password: string;
}

export interface AccountFormProps {
  readonly fields: readonly (keyof AccountDetails)[];
  readonly button: string;
  /** Of a password that is chosen here, not given. */
  readonly isNewPassword: boolean;
  readonly fixedEmail?: string | undefined;
  readonly onSubmit: (details: AccountDetails) => Promise<void>;
}

/** The fields people fill in to get in. What is wrong is said at its field, else above the button. */
export function AccountForm({ fields, button, isNewPassword, fixedEmail, onSubmit }: AccountFormProps) {
  const [details, setDetails] = useState<AccountDetails>({ email: fixedEmail ?? '', name: '', password: '' });
  const [faults, setFaults] = useState<Partial<AccountDetails>>({});
  const action = useAction(onSubmit);
  const set = (field: keyof AccountDetails) => (value: string) => {
    setDetails((before) => ({ ...before, [field]: value }));
    setFaults(({ [field]: _mended, ...others }) => others);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = faultsOf(details, fields, isNewPassword);
    setFaults(found);
    if (Object.keys(found).length === 0) void action.run(details);
  };
  const faultOf = (field: keyof AccountDetails) => faults[field] ?? action.issueAt(field);
  const isGeneral = action.error !== undefined && !fields.some((field) => action.issueAt(field));
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      {fields.includes('email') && (
        <Field label={commonWords.email} error={faultOf('email')}>
          {(control) => (
            <TextInput
              {...control}
              size="large"
              type="email"
              autoComplete="username"
              autoFocus={fixedEmail === undefined}
              disabled={fixedEmail !== undefined}
              value={details.email}
              onChange={(event) => set('email')(event.target.value)}
            />
          )}
        </Field>
      )}
      {fields.includes('name') && (
        <Field label={commonWords.name} hint={commonWords.asTheOthersSeeYou} error={faultOf('name')}>
          {(control) => (
            <TextInput
              {...control}
              size="large"
              autoComplete="name"
              autoFocus={fixedEmail !== undefined}
              value={details.name}
              onChange={(event) => set('name')(event.target.value)}
            />
          )}
        </Field>
      )}
      <Field
        label={commonWords.password}
        hint={isNewPassword ? signInWords.atLeastGoodWords(PASSWORD_LENGTH.least) : undefined}
        error={faultOf('password')}
      >
        {(control) => (
          <PasswordInput
            control={control}
            isNew={isNewPassword}
            autoFocus={!fields.includes('email')}
            value={details.password}
            onChange={set('password')}
          />
        )}
      </Field>
      {isGeneral && <Notice tone="error">{action.error}</Notice>}
      <Button type="submit" look="primary" size="large" wide busy={action.busy}>
        {button}
      </Button>
    </form>
  );
}

/** Only what nobody needs a server for. */
export function faultsOf(
  { email, password }: AccountDetails,
  fields: readonly (keyof AccountDetails)[],
  isNewPassword: boolean,
): Partial<AccountDetails> {
  const least = PASSWORD_LENGTH.least;
  const isShort = isNewPassword && [...password].length < least;
  return {
    ...(fields.includes('email') &&
      !/^\S+@\S+$/.test(email.trim()) && { email: signInWords.writeAnEMailAddress }),
    ...(password === ''
      ? { password: signInWords.writeAPassword }
      : isShort && { password: signInWords.moreCharacters(least - [...password].length) }),
  };
}
