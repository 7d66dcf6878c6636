import { Plus, X } from 'lucide-react';
import { useCallback, useState } from 'react';
import { messageOf } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { useLoad } from '../api/use-load.ts';
import { useMay, useMe } from '../shell/session-store.ts';
import { commonWords } from '../text/strings/common.ts';
import { teamWords } from '../text/strings/team.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { CopyField } from '../ui/copy-field.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { LoadState } from '../ui/load-state.tsx';
import { Part } from '../ui/sections.tsx';
import { Table } from '../ui/table.tsx';
import { WallTime } from '../ui/time.tsx';
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
      .then(() => toast('ok', teamWords.theTokenIsRevoked))
      .catch((error: unknown) => toast('error', messageOf(error)))
      .finally(tokens.reload);
  return (
    <Part
      title={teamWords.apiTokens}
      about={teamWords.forProgramsAndTheCommand}
      action={
        <Button icon={Plus} onClick={() => setAsking(true)}>
          {teamWords.makeAToken}
        </Button>
      }
    >
      <LoadState of={tokens} lines={2}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState isFramed title={teamWords.noTokens}>
              {teamWords.withOneTheCommandLine}
            </EmptyState>
          ) : (
            <Table
              label={teamWords.apiTokens}
              rows={items}
              keyOf={({ id }) => id}
              columns={[
                {
                  head: commonWords.name,
                  cell: ({ name, account, accountName }) => (
                    <>
                      <strong>{name}</strong>
                      <span className={styles.under}>
                        {account === me.id ? teamWords.yours : accountName}
                      </span>
                    </>
                  ),
                },
                {
                  head: teamWords.scopes,
                  cell: ({ scopes, pipeline }) => (
                    <span className={styles.badges}>
                      {pipeline && <Badge tone="ok">{teamWords.onlyOne(pipeline)}</Badge>}
                      {scopes.map((scope) => (
                        <Badge key={scope}>{scope}</Badge>
                      ))}
                    </span>
                  ),
                },
                {
                  head: commonWords.lastUsed,
                  width: 110,
                  cell: ({ lastUsedAt }) =>
                    lastUsedAt ? <WallTime at={lastUsedAt} as="ago" /> : teamWords.never,
                },
                {
                  head: teamWords.goodUntil,
                  width: 110,
                  cell: ({ expiresAt }) =>
                    expiresAt ? <WallTime at={expiresAt} as="day" /> : teamWords.untilRevoked,
                },
                {
                  head: commonWords.actions,
                  isHeadHidden: true,
                  width: 56,
                  align: 'right',
                  cell: ({ id, name }) => (
                    <IconButton
                      icon={X}
                      label={teamWords.revokeOne(name)}
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
          title={teamWords.yourToken}
          about={teamWords.itIsShownOnlyNow}
          actions={
            <Button look="primary" onClick={() => setMade(undefined)}>
              {commonWords.done}
            </Button>
          }
        >
          <CopyField label={teamWords.token} value={made} />
        </Dialog>
      )}
    </Part>
  );
}
