import type { AnswerOf, RouteOf } from '@millrace/protocol/api';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { call } from '../api/call.ts';
import { useAction } from '../api/use-action.ts';
import { useMe } from '../shell/session-store.ts';
import { auditAction } from '../text/strings/audit.ts';
import { teamWords } from '../text/strings/team.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { Part } from '../ui/sections.tsx';
import { Table } from '../ui/table.tsx';
import { WallTime } from '../ui/time.tsx';
import styles from './team.module.css';

type Entry = AnswerOf<RouteOf<'audit.list'>>['items'][number];

const PAGE = 50;
const PIPELINE = /^p_/;

/** Who changed what, newest first; older entries on demand. */
export function AuditLog() {
  const [entries, setEntries] = useState<readonly Entry[]>([]);
  const [next, setNext] = useState<string | null>();
  const more = useAction(async () => {
    const page = await call('audit.list', { query: { limit: PAGE, ...(next && { cursor: next }) } });
    setEntries((before) => [...before, ...page.items]);
    setNext(page.next);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first page, once
  useEffect(() => void more.run(), []);
  return (
    <Part title={teamWords.auditLog} about={teamWords.whoChangedDeployedRevealed}>
      {more.error && <Notice tone="error">{more.error}</Notice>}
      <Table
        label={teamWords.auditLog}
        rows={entries}
        keyOf={({ number }) => String(number)}
        columns={[
          { head: teamWords.when, width: 170, cell: ({ at }) => <WallTime at={at} /> },
          {
            head: teamWords.who,
            cell: ({ actorName, actorKind }) => (
              <span className={styles.badges}>
                {actorName}
                {actorKind !== 'account' && <Badge>{actorKind}</Badge>}
              </span>
            ),
          },
          {
            head: teamWords.what,
            cell: ({ action, detail }) => <span title={action}>{auditAction(action, detail)}</span>,
          },
          { head: teamWords.on, cell: (entry) => <Target {...entry} /> },
        ]}
      />
      {next && (
        <div className={styles.more}>
          <Button busy={more.busy} onClick={() => void more.run()}>
            {teamWords.showOlderEntries}
          </Button>
        </div>
      )}
    </Part>
  );
}

/** By its name; its id is what it is found by in the API, and all there is of what never had a name. */
function Target({ target, targetName }: Pick<Entry, 'target' | 'targetName'>) {
  const { workspace } = useMe();
  if (target === null) return null;
  if (targetName === null) return <code>{target}</code>;
  if (!PIPELINE.test(target)) return <span title={target}>{targetName}</span>;
  return (
    <Link to={`/w/${workspace.id}/p/${target}`} title={target}>
      {targetName}
    </Link>
  );
}
