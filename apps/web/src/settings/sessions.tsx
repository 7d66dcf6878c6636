import { X } from 'lucide-react';
import { useCallback } from 'react';
import { messageOf } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { useLoad } from '../api/use-load.ts';
import { commonWords } from '../text/strings/common.ts';
import { settingsWords } from '../text/strings/settings.ts';
import { Badge } from '../ui/badge.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { LoadState } from '../ui/load-state.tsx';
import { Part } from '../ui/sections.tsx';
import { Table } from '../ui/table.tsx';
import { WallTime } from '../ui/time.tsx';
import { toast } from '../ui/toast-store.ts';
import { browserOf } from './browser-of.ts';

export function Sessions() {
  const sessions = useLoad(useCallback((signal) => call('sessions.list', { signal }), []));
  const end = (session: string) =>
    call('sessions.end', { params: { session } })
      .catch((error: unknown) => toast('error', messageOf(error)))
      .finally(sessions.reload);
  return (
    <Part title={settingsWords.sessions} about={settingsWords.whereYouAreSignedIn}>
      <LoadState of={sessions} lines={1}>
        {({ items }) => (
          <Table
            label={settingsWords.sessions}
            rows={items}
            keyOf={({ id }) => id}
            columns={[
              {
                head: settingsWords.browser,
                cell: ({ userAgent, current }) => (
                  <span title={userAgent}>
                    {browserOf(userAgent)} {current && <Badge tone="ok">{settingsWords.thisOne}</Badge>}
                  </span>
                ),
              },
              {
                head: settingsWords.since,
                width: 120,
                cell: ({ createdAt }) => <WallTime at={createdAt} as="day" />,
              },
              {
                head: commonWords.lastUsed,
                width: 120,
                cell: ({ lastUsedAt }) => <WallTime at={lastUsedAt} as="ago" />,
              },
              {
                head: commonWords.actions,
                isHeadHidden: true,
                width: 56,
                align: 'right',
                cell: ({ id, current }) =>
                  !current && (
                    <IconButton
                      icon={X}
                      label={settingsWords.endThisSession}
                      size="small"
                      onClick={() => void end(id)}
                    />
                  ),
              },
            ]}
          />
        )}
      </LoadState>
    </Part>
  );
}
