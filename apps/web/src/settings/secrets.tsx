import { secretName } from '@millrace/protocol/api';
import { Plus, RefreshCw, Trash2 } from 'lucide-react';
import { useCallback, useState } from 'react';
import { call } from '../api/call.ts';
import { useAction } from '../api/use-action.ts';
import { useLoad } from '../api/use-load.ts';
import { formatAgo } from '../text/format-time.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Field } from '../ui/field.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { LoadState } from '../ui/load-state.tsx';
import { Notice } from '../ui/notice.tsx';
import { Part } from '../ui/sections.tsx';
import { Table } from '../ui/table.tsx';
import { TextInput } from '../ui/text-input.tsx';
import { toast } from '../ui/toast-store.ts';
import styles from './settings.module.css';

type Asked =
  | { readonly kind: 'write'; readonly name: string | undefined }
  | { readonly kind: 'delete'; readonly name: string };

const MOST = 200;

export function Secrets() {
  const secrets = useLoad(
    useCallback((signal) => call('secrets.list', { query: { limit: MOST }, signal }), []),
  );
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  return (
    <Part
      title="Secrets"
      about="Pipelines name them; nobody reads them back. They are encrypted here and left out of every export."
      action={
        <Button icon={Plus} onClick={() => setAsked({ kind: 'write', name: undefined })}>
          Add a secret
        </Button>
      }
    >
      <LoadState of={secrets}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState isFramed title="No secrets yet">
              A password in a node’s settings is an error; a secret’s name is what belongs there.
            </EmptyState>
          ) : (
            <Table
              label="Secrets"
              rows={items}
              keyOf={({ name }) => name}
              columns={[
                { head: 'Name', cell: ({ name }) => <code>{name}</code> },
                {
                  head: 'Used by',
                  cell: ({ usedBy }) => (
                    <span className={styles.badges}>
                      {usedBy.map((each) => (
                        <Badge key={each}>{each}</Badge>
                      ))}
                    </span>
                  ),
                },
                {
                  head: 'Written',
                  width: 200,
                  cell: ({ updatedAt, updatedBy }) => `${formatAgo(Date.parse(updatedAt))} by ${updatedBy}`,
                },
                {
                  head: 'Actions',
                  isHeadHidden: true,
                  width: 88,
                  align: 'right',
                  cell: ({ name }) => (
                    <>
                      <IconButton
                        icon={RefreshCw}
                        label={`Write ${name} anew`}
                        size="small"
                        onClick={() => setAsked({ kind: 'write', name })}
                      />
                      <IconButton
                        icon={Trash2}
                        label={`Delete ${name}`}
                        size="small"
                        onClick={() => setAsked({ kind: 'delete', name })}
                      />
                    </>
                  ),
                },
              ]}
            />
          )
        }
      </LoadState>
      {asked?.kind === 'write' && <WriteSecret name={asked.name} onDone={secrets.reload} onClose={close} />}
      {asked?.kind === 'delete' && <DeleteSecret name={asked.name} onDone={secrets.reload} onClose={close} />}
    </Part>
  );
}

interface AskedProps {
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** `name`: of one that is there and gets a new value. */
function WriteSecret({ name: given, onDone, onClose }: AskedProps & { readonly name: string | undefined }) {
  const [name, setName] = useState(given ?? '');
  const [value, setValue] = useState('');
  const write = useAction(async () => {
    await call('secrets.put', { params: { name }, body: { value } });
    toast('ok', `${name} is written. Pipelines take it at their next start.`);
    onDone();
    onClose();
  });
  const isNamed = secretName.safeParse(name).success;
  return (
    <Dialog
      open
      onClose={onClose}
      title={given ? `Write ${given} anew` : 'Add a secret'}
      width="narrow"
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="primary"
            busy={write.busy}
            disabled={!isNamed || value === ''}
            onClick={() => void write.run()}
          >
            Write
          </Button>
        </>
      }
    >
      {!given && (
        <Field
          label="Name"
          hint="As settings refer to it."
          error={name !== '' && !isNamed ? 'Letters, digits, dots, dashes and underscores.' : undefined}
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
      <Field label="Value" hint="It can be overwritten and deleted, never read back.">
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

function DeleteSecret({ name, onDone, onClose }: AskedProps & { readonly name: string }) {
  const remove = useAction(async () => {
    await call('secrets.delete', { params: { name } });
    onDone();
    onClose();
  });
  return (
    <Confirm
      open
      onClose={onClose}
      title={`Delete ${name}?`}
      verb="Delete"
      isDanger
      busy={remove.busy}
      error={remove.error}
      onConfirm={() => void remove.run()}
    >
      A pipeline that names it stops at its next start. Its value cannot be brought back.
    </Confirm>
  );
}
