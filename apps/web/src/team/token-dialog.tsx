import { SCOPES, type Scope } from '@millrace/protocol/api';
import { useState } from 'react';
import { call } from '../api/call.ts';
import { useAction } from '../api/use-action.ts';
import { useMe } from '../shell/session-store.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { Select } from '../ui/select.tsx';
import { TextInput } from '../ui/text-input.tsx';
import styles from './team.module.css';

const ABOUT: Readonly<Record<Scope, string>> = {
  'graph.read': 'See graphs, code and versions.',
  'graph.write': 'Change drafts, make versions.',
  'live.read': 'See live numbers.',
  'data.read': 'See records, state, files.',
  'data.write': 'Change files and dead letters.',
  'run.operate': 'Start, stop, pause.',
  'run.deploy': 'Deploy and roll back.',
  'members.manage': 'Invite, remove, change roles.',
  'settings.manage': 'Secrets, hosts, audit log.',
  ingest: 'Post records, nothing else.',
};

const VALID = [
  { value: 'for-ever', label: 'Until it is revoked' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
] as const;

export interface TokenDialogProps {
  readonly onClose: () => void;
  readonly onMade: (token: string) => void;
}

export function TokenDialog({ onClose, onMade }: TokenDialogProps) {
  const { scopes: mine } = useMe();
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<readonly Scope[]>(['graph.read']);
  const [valid, setValid] = useState<(typeof VALID)[number]['value']>('90');
  const make = useAction(async () => {
    const validDays = valid === 'for-ever' ? {} : { validDays: Number(valid) };
    const { token } = await call('tokens.create', { body: { name, scopes: [...chosen], ...validDays } });
    onMade(token);
  });
  const toggle = (scope: Scope) => (isOn: boolean) =>
    setChosen((before) => (isOn ? [...before, scope] : before.filter((each) => each !== scope)));
  return (
    <Dialog
      open
      onClose={onClose}
      title="Make a token"
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="primary"
            busy={make.busy}
            disabled={name.trim() === '' || chosen.length === 0}
            onClick={() => void make.run()}
          >
            Make the token
          </Button>
        </>
      }
    >
      <Field label="Name" hint="Where it will be used." error={make.issueAt('name')}>
        {(control) => (
          <TextInput {...control} autoFocus value={name} onChange={(event) => setName(event.target.value)} />
        )}
      </Field>
      <fieldset style={{ margin: 0, padding: 0, border: 0 }}>
        <legend style={{ padding: 0, marginBottom: 8, fontWeight: 600, fontSize: 12 }}>What it may do</legend>
        <div className={styles.scopes}>
          {SCOPES.filter((scope) => mine.includes(scope)).map((scope) => (
            <Checkbox
              key={scope}
              label={scope}
              about={ABOUT[scope]}
              checked={chosen.includes(scope)}
              onChange={toggle(scope)}
            />
          ))}
        </div>
      </fieldset>
      <Field label="Good for">
        {(control) => <Select control={control} value={valid} options={VALID} onChange={setValid} />}
      </Field>
      {make.error && !make.issueAt('name') && <Notice tone="error">{make.error}</Notice>}
    </Dialog>
  );
}
