import { Plus, X } from 'lucide-react';
import { useCallback, useState } from 'react';
import { messageOf } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { useLoad } from '../api/use-load.ts';
import { useMay, useMe } from '../shell/session-store.ts';
import { formatAgo, formatDay } from '../text/format-time.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { CopyField } from '../ui/copy-field.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { LoadState } from '../ui/load-state.tsx';
import { Part } from '../ui/sections.tsx';
import { Table } from '../ui/table.tsx';
import { toast } from '../ui/toast-store.ts';
import styles from './team.module.css';
import { TokenDialog } from './token-dialog.tsx';

export function Tokens() {
  const { account: me } = useMe();
  const of = useMay('members.manage') ? 'all' : 'me';
  const tokens = useLoad(useCallback((signal) => call('tokens.list', { query: { of }, signal }), [of]));
  const [isAsking, setAsking] = useState(false);
  const [made, setMade] = useState<string>();
  const revoke = (token: string) =>
    call('tokens.revoke', { params: { token } })
      .then(() => toast('ok', 'The token is revoked.'))
      .catch((error: unknown) => toast('error', messageOf(error)))
      .finally(tokens.reload);
  return (
    <Part
      title="API tokens"
      about="For programs and the command line. A token can do what its scopes say, and no more than you."
      action={
        <Button icon={Plus} onClick={() => setAsking(true)}>
          Make a token
        </Button>
      }
    >
      <LoadState of={tokens} lines={2}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState isFramed title="No tokens">
              With one, <code>millrace push</code> and your own programs reach this server.
            </EmptyState>
          ) : (
            <Table
              label="API tokens"
              rows={items}
              keyOf={({ id }) => id}
              columns={[
                {
                  head: 'Name',
                  cell: ({ name, account, accountName }) => (
                    <>
                      <strong>{name}</strong>
                      <span className={styles.under}>{account === me.id ? 'yours' : accountName}</span>
                    </>
                  ),
                },
                {
                  head: 'Scopes',
                  cell: ({ scopes, pipeline }) => (
                    <span className={styles.badges}>
                      {pipeline && <Badge tone="ok">only {pipeline}</Badge>}
                      {scopes.map((scope) => (
                        <Badge key={scope}>{scope}</Badge>
                      ))}
                    </span>
                  ),
                },
                {
                  head: 'Last used',
                  width: 110,
                  cell: ({ lastUsedAt }) => (lastUsedAt ? formatAgo(lastUsedAt) : 'never'),
                },
                {
                  head: 'Good until',
                  width: 110,
                  cell: ({ expiresAt }) => (expiresAt ? formatDay(expiresAt) : 'revoked'),
                },
                {
                  head: 'Actions',
                  isHeadHidden: true,
                  width: 56,
                  align: 'right',
                  cell: ({ id, name }) => (
                    <IconButton
                      icon={X}
                      label={`Revoke ${name}`}
                      size="small"
                      onClick={() => void revoke(id)}
                    />
                  ),
                },
              ]}
            />
          )
        }
      </LoadState>
      {isAsking && (
        <TokenDialog
          onClose={() => setAsking(false)}
          onMade={(token) => {
            setAsking(false);
            setMade(token);
            tokens.reload();
          }}
        />
      )}
      {made && (
        <Dialog
          open
          onClose={() => setMade(undefined)}
          title="Your token"
          about="It is shown only now: the server keeps its hash."
          actions={
            <Button look="primary" onClick={() => setMade(undefined)}>
              Done
            </Button>
          }
        >
          <CopyField label="Token" value={made} />
        </Dialog>
      )}
    </Part>
  );
}
