import { SCOPES, type Scope } from '@millrace/protocol/api';
import { useState } from 'react';
import { call } from '../api/call.ts';
import { useAction } from '../api/use-action.ts';
import { useMe } from '../shell/session-store.ts';
import { commonWords } from '../text/strings/common.ts';
import { teamWords } from '../text/strings/team.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { Select } from '../ui/select.tsx';
import { TextInput } from '../ui/text-input.tsx';
import styles from './team.module.css';

const ABOUT: Readonly<Record<Scope, string>> = {
  'graph.read': teamWords.seeGraphsCodeAndVersions,
  'graph.write': teamWords.changeDraftsMakeVersions,
  'live.read': teamWords.seeLiveNumbers,
  'data.read': teamWords.seeRecordsStateFiles,
  'data.write': teamWords.changeFilesAndDeadLetters,
  'run.operate': teamWords.startStopPause,
  'run.deploy': teamWords.deployAndRollBack,
  'members.manage': teamWords.inviteRemoveChangeRoles,
  'settings.manage': teamWords.secretsHostsAuditLog,
  ingest: teamWords.postRecordsNothingElse,
};

const VALID = [
  { value: 'for-ever', label: teamWords.untilItIsRevoked },
  { value: '30', label: teamWords.thirtyDays },
  { value: '90', label: teamWords.ninetyDays },
  { value: '365', label: teamWords.aYear },
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
      title={teamWords.makeAToken}
      actions={
        <>
          <Button onClick={onClose}>{commonWords.cancel}</Button>
          <Button
            look="primary"
            busy={make.busy}
            disabled={name.trim() === '' || chosen.length === 0}
            onClick={() => void make.run()}
          >
            {teamWords.makeTheToken}
          </Button>
        </>
      }
    >
      <Field label={commonWords.name} hint={teamWords.whereItWillBeUsed} error={make.issueAt('name')}>
        {(control) => (
          <TextInput {...control} autoFocus value={name} onChange={(event) => setName(event.target.value)} />
        )}
      </Field>
      <fieldset style={{ margin: 0, padding: 0, border: 0 }}>
        <legend style={{ padding: 0, marginBottom: 8, fontWeight: 600, fontSize: 12 }}>
          {teamWords.whatItMayDo}
        </legend>
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
      <Field label={teamWords.goodFor}>
        {(control) => <Select control={control} value={valid} options={VALID} onChange={setValid} />}
      </Field>
      {make.error && !make.issueAt('name') && <Notice tone="error">{make.error}</Notice>}
    </Dialog>
  );
}
