import type { AnswerOf, Role, RouteOf } from '@millrace/protocol/api';
import { Ellipsis, KeyRound, UserMinus } from 'lucide-react';
import { useCallback, useState } from 'react';
import { messageOf } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { useAction } from '../api/use-action.ts';
import { useLoad } from '../api/use-load.ts';
import { useMay, useMe } from '../shell/session-store.ts';
import { commonWords } from '../text/strings/common.ts';
import { teamWords } from '../text/strings/team.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { LoadState } from '../ui/load-state.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { Part } from '../ui/sections.tsx';
import { Select } from '../ui/select.tsx';
import { Table } from '../ui/table.tsx';
import { WallTime } from '../ui/time.tsx';
import { toast } from '../ui/toast-store.ts';
import { LinkDialog, type ShownLink } from './link-dialog.tsx';
import { ROLE_OPTIONS } from './roles.ts';
import styles from './team.module.css';

type Member = AnswerOf<RouteOf<'members.list'>>['items'][number];

export function Members() {
  const mayManage = useMay('members.manage');
  const { account: me } = useMe();
  const members = useLoad(useCallback((signal) => call('members.list', { signal }), []));
  const [leaving, setLeaving] = useState<Member>();
  const [link, setLink] = useState<ShownLink>();
  const tell = (error: unknown) => toast('error', messageOf(error));
  const changeRole = ({ account }: Member, role: Role) =>
    call('members.change-role', { params: { account }, body: { role } }).catch(tell).finally(members.reload);
  const makeLink = ({ account, name }: Member) =>
    call('members.password-link', { params: { account } }).then(
      (made) => setLink({ title: teamWords.newPasswordFor(name), ...made }),
      tell,
    );
  return (
    <Part title={teamWords.members} about={teamWords.whoBelongsToTheWorkspace}>
      <LoadState of={members}>
        {({ items }) => (
          <Table
            label={teamWords.members}
            rows={items}
            keyOf={({ account }) => account}
            columns={[
              {
                head: commonWords.name,
                cell: ({ name, email, account }) => (
                  <span className={styles.person}>
                    <Avatar name={name} size={24} />
                    <span>
                      <strong>{name}</strong>
                      {account === me.id && <span className={styles.soft}>{teamWords.you}</span>}
                      <span className={styles.under}>{email}</span>
                    </span>
                  </span>
                ),
              },
              {
                head: teamWords.joined,
                width: 120,
                cell: ({ joinedAt }) => <WallTime at={joinedAt} as="day" />,
              },
              {
                head: teamWords.role,
                width: 150,
                cell: (member) =>
                  mayManage ? (
                    <Select
                      label={teamWords.roleOf(member.name)}
                      value={member.role}
                      options={ROLE_OPTIONS}
                      onChange={(role) => void changeRole(member, role)}
                    />
                  ) : (
                    ROLE_OPTIONS.find(({ value }) => value === member.role)?.label
                  ),
              },
              ...(mayManage
                ? [
                    {
                      head: commonWords.actions,
                      isHeadHidden: true,
                      width: 56,
                      align: 'right' as const,
                      cell: (member: Member) => (
                        <Menu
                          trigger={
                            <IconButton
                              icon={Ellipsis}
                              label={teamWords.actionsFor(member.name)}
                              size="small"
                            />
                          }
                        >
                          <MenuItem icon={KeyRound} onSelect={() => void makeLink(member)}>
                            {teamWords.linkForANewPassword}
                          </MenuItem>
                          <MenuItem icon={UserMinus} isDanger onSelect={() => setLeaving(member)}>
                            {teamWords.remove}
                          </MenuItem>
                        </Menu>
                      ),
                    },
                  ]
                : []),
            ]}
          />
        )}
      </LoadState>
      {leaving && (
        <RemoveMember member={leaving} onDone={members.reload} onClose={() => setLeaving(undefined)} />
      )}
      <LinkDialog link={link} onClose={() => setLink(undefined)} />
    </Part>
  );
}

interface RemoveMemberProps {
  readonly member: Member;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function RemoveMember({ member: { account, name }, onDone, onClose }: RemoveMemberProps) {
  const remove = useAction(async () => {
    await call('members.remove', { params: { account } });
    onDone();
    onClose();
  });
  return (
    <Confirm
      open
      onClose={onClose}
      title={teamWords.askRemove(name)}
      verb={teamWords.remove}
      isDanger
      busy={remove.busy}
      error={remove.error}
      onConfirm={() => void remove.run()}
    >
      {teamWords.removalEnds(name)}
    </Confirm>
  );
}
