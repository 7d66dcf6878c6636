import { secretName } from '@millrace/protocol/api';
import { useState } from 'react';
import { call } from '../api/call.ts';
import { useAction } from '../api/use-action.ts';
import { commonWords } from '../text/strings/common.ts';
import { settingsWords } from '../text/strings/settings.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { TextInput } from '../ui/text-input.tsx';
import { toast } from '../ui/toast-store.ts';

export interface WriteSecretProps {
  /** Of one that is there and gets a new value. */
  readonly name: string | undefined;
  readonly onDone: (name: string) => void;
  readonly onClose: () => void;
}

export function WriteSecret({ name: given, onDone, onClose }: WriteSecretProps) {
  const [name, setName] = useState(given ?? '');
  const [value, setValue] = useState('');
  const write = useAction(async () => {
    await call('secrets.put', { params: { name }, body: { value } });
    toast('ok', settingsWords.isWritten(name));
    onDone(name);
    onClose();
  });
  const isNamed = secretName.safeParse(name).success;
  return (
    <Dialog
      open
      onClose={onClose}
      title={given ? settingsWords.writeAnew(given) : settingsWords.addASecret}
      width="narrow"
      actions={
        <>
          <Button onClick={onClose}>{commonWords.cancel}</Button>
          <Button
            look="primary"
            busy={write.busy}
            disabled={!isNamed || value === ''}
            onClick={() => void write.run()}
          >
            {settingsWords.write}
          </Button>
        </>
      }
    >
      {!given && (
        <Field
          label={commonWords.name}
          hint={settingsWords.asSettingsReferToIt}
          error={name !== '' && !isNamed ? settingsWords.lettersDigitsDotsDashes : undefined}
        >
          {(control) => (
            <TextInput
              {...control}
              isCode
              autoFocus
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
      )}
      <Field label={settingsWords.value} hint={settingsWords.itCanBeOverwritten}>
        {(control) => (
          <TextInput
            {...control}
            isCode
            type="password"
            autoComplete="off"
            autoFocus={given !== undefined}
            value={value}
            onChange={(event) => setValue(event.target.value)}
          />
        )}
      </Field>
      {write.error && <Notice tone="error">{write.error}</Notice>}
    </Dialog>
  );
}
