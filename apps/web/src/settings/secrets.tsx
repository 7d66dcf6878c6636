import { Plus, RefreshCw, Trash2 } from 'lucide-react';
import { useCallback, useState } from 'react';
import { Link } from 'react-router';
import { call } from '../api/call.ts';
import { useAction } from '../api/use-action.ts';
import { useLoad } from '../api/use-load.ts';
import { useNames } from '../home/use-names.ts';
import { useMe } from '../shell/session-store.ts';
import { commonWords } from '../text/strings/common.ts';
import { settingsWords } from '../text/strings/settings.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { LoadState } from '../ui/load-state.tsx';
import { Part } from '../ui/sections.tsx';
import { Table } from '../ui/table.tsx';
import { WallTime } from '../ui/time.tsx';
import styles from './settings.module.css';
import { WriteSecret } from './write-secret.tsx';

type Asked =
  | { readonly kind: 'write'; readonly name: string | undefined }
  | { readonly kind: 'delete'; readonly name: string };

const MOST = 200;

export function Secrets() {
  const secrets = useLoad(
    useCallback((signal) => call('secrets.list', { query: { limit: MOST }, signal }), []),
  );
  const people = useNames();
  const { workspace } = useMe();
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  return (
    <Part
      title={settingsWords.secrets}
      about={settingsWords.pipelinesNameThemNobodyReads}
      action={
        <Button icon={Plus} onClick={() => setAsked({ kind: 'write', name: undefined })}>
          {settingsWords.addASecret}
        </Button>
      }
    >
      <LoadState of={secrets}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState isFramed title={settingsWords.noSecretsYet}>
              {settingsWords.aPasswordInANodes}
            </EmptyState>
          ) : (
            <Table
              label={settingsWords.secrets}
              rows={items}
              keyOf={({ name }) => name}
              columns={[
                { head: commonWords.name, cell: ({ name }) => <code>{name}</code> },
                {
                  head: settingsWords.usedBy,
                  cell: ({ usedBy }) => (
                    <span className={styles.badges}>
                      {usedBy.map(({ id, name }) => (
                        <Link key={id} to={`/w/${workspace.id}/p/${id}`}>
                          {name}
                        </Link>
                      ))}
                    </span>
                  ),
                },
                {
                  head: settingsWords.written,
                  width: 200,
                  cell: ({ updatedAt, updatedBy }) => (
                    <>
                      <WallTime at={Date.parse(updatedAt)} as="ago" />{' '}
                      {settingsWords.by(people.get(updatedBy) ?? updatedBy)}
                    </>
                  ),
                },
                {
                  head: commonWords.actions,
                  isHeadHidden: true,
                  width: 88,
                  align: 'right',
                  cell: ({ name }) => (
                    <>
                      <IconButton
                        icon={RefreshCw}
                        label={settingsWords.writeAnew(name)}
                        size="small"
                        onClick={() => setAsked({ kind: 'write', name })}
                      />
                      <IconButton
                        icon={Trash2}
                        label={settingsWords.deleteOne(name)}
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
      {asked?.kind === 'write' && (
        <WriteSecret name={asked.name} onDone={() => secrets.reload()} onClose={close} />
      )}
      {asked?.kind === 'delete' && <DeleteSecret name={asked.name} onDone={secrets.reload} onClose={close} />}
    </Part>
  );
}

interface AskedProps {
  readonly onDone: () => void;
  readonly onClose: () => void;
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
      title={settingsWords.askDelete(name)}
      verb={commonWords.delete}
      isDanger
      busy={remove.busy}
      error={remove.error}
      onConfirm={() => void remove.run()}
    >
      {settingsWords.aPipelineThatNames}
    </Confirm>
  );
}
