import { PASSWORD_LENGTH } from '@millrace/protocol/api';
import { useState } from 'react';
import { call } from '../api/call.ts';
import { useAction } from '../api/use-action.ts';
import { askWhoIAm, useMe } from '../shell/session-store.ts';
import { commonWords } from '../text/strings/common.ts';
import { settingsWords } from '../text/strings/settings.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Part } from '../ui/sections.tsx';
import { TextInput } from '../ui/text-input.tsx';
import { toast } from '../ui/toast-store.ts';
import { Sessions } from './sessions.tsx';
import styles from './settings.module.css';

export const AccountSettings = () => (
  <>
    <OwnName />
    <OwnPassword />
    <Sessions />
  </>
);

function OwnName() {
  const { account } = useMe();
  const [name, setName] = useState(account.name);
  const rename = useAction(async () => {
    await call('account.rename', { body: { name } });
    await askWhoIAm();
    toast('ok', settingsWords.yourNameIsChanged);
  });
  return (
    <Part title={settingsWords.yourAccount} about={account.email}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          void rename.run();
        }}
      >
        <Field label={commonWords.name} hint={commonWords.asTheOthersSeeYou} error={rename.error}>
          {(control) => (
            <TextInput
              {...control}
              autoComplete="name"
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" busy={rename.busy} disabled={name.trim() === '' || name === account.name}>
          {settingsWords.changeTheName}
        </Button>
      </form>
    </Part>
  );
}

function OwnPassword() {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const change = useAction(async () => {
    await call('account.change-password', { body: { current, next } });
    setCurrent('');
    setNext('');
    toast('ok', settingsWords.yourPasswordIsChangedYour);
  });
  const isLongEnough = [...next].length >= PASSWORD_LENGTH.least;
  return (
    <Part title={commonWords.password} about={settingsWords.aNewOneEndsYour}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          void change.run();
        }}
      >
        <Field
          label={settingsWords.currentPassword}
          error={change.issueAt('next') ? undefined : change.error}
        >
          {(control) => (
            <TextInput
              {...control}
              type="password"
              autoComplete="current-password"
              value={current}
              onChange={(event) => setCurrent(event.target.value)}
            />
          )}
        </Field>
        <Field
          label={settingsWords.newPassword}
          hint={settingsWords.atLeast(PASSWORD_LENGTH.least)}
          error={change.issueAt('next')}
        >
          {(control) => (
            <TextInput
              {...control}
              type="password"
              autoComplete="new-password"
              value={next}
              onChange={(event) => setNext(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" busy={change.busy} disabled={current === '' || !isLongEnough}>
          {settingsWords.changeThePassword}
        </Button>
      </form>
    </Part>
  );
}
