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
import styles from './settings.module.css';

export function WorkspaceName() {
  const { workspace } = useMe();
  const [name, setName] = useState(workspace.name);
  const rename = useAction(async () => {
    await call('workspace.rename', { body: { name } });
    await askWhoIAm();
    toast('ok', settingsWords.theWorkspaceHasItsNew);
  });
  return (
    <Part title={commonWords.workspace} about={settingsWords.everybodyHereSeesThisName}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          void rename.run();
        }}
      >
        <Field label={commonWords.name} error={rename.error}>
          {(control) => (
            <TextInput {...control} value={name} onChange={(event) => setName(event.target.value)} />
          )}
        </Field>
        <Button type="submit" busy={rename.busy} disabled={name.trim() === '' || name === workspace.name}>
          {commonWords.rename}
        </Button>
      </form>
    </Part>
  );
}
