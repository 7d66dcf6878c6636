import type { Role } from '@millrace/protocol/api';
import { UserPlus, X } from 'lucide-react';
import { useCallback, useState } from 'react';
import { messageOf } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { useAction } from '../api/use-action.ts';
import { useLoad } from '../api/use-load.ts';
import { commonWords } from '../text/strings/common.ts';
import { teamWords } from '../text/strings/team.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Field } from '../ui/field.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { LoadState } from '../ui/load-state.tsx';
import { Notice } from '../ui/notice.tsx';
import { Part } from '../ui/sections.tsx';
import { Select } from '../ui/select.tsx';
import { Table } from '../ui/table.tsx';
import { TextInput } from '../ui/text-input.tsx';
import { WallTime } from '../ui/time.tsx';
import { toast } from '../ui/toast-store.ts';
import { LinkDialog, type ShownLink } from './link-dialog.tsx';
import { ROLE_OPTIONS } from './roles.ts';

export function Invitations() {
  const invitations = useLoad(useCallback((signal) => call('invitations.list', { signal }), []));
  const [isAsking, setAsking] = useState(false);
  const [link, setLink] = useState<ShownLink>();
  const revoke = (invitation: string) =>
    call('invitations.revoke', { params: { invitation } })
      .catch((error: unknown) => toast('error', messageOf(error)))
      .finally(invitations.reload);
  return (
    <Part
      title={teamWords.openInvitations}
      about={teamWords.eachIsALinkGood}
      action={
        <Button icon={UserPlus} onClick={() => setAsking(true)}>
          {teamWords.invite}
        </Button>
      }
    >
      <LoadState of={invitations} lines={1}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState isFramed title={teamWords.noInvitationIsOpen}>
              {teamWords.anInvitationWaitsHereUntil}
            </EmptyState>
          ) : (
            <Table
              label={teamWords.openInvitations}
              rows={items}
              keyOf={({ id }) => id}
              columns={[
                { head: teamWords.for, cell: ({ email }) => email ?? teamWords.anybodyWithTheLink },
                {
                  head: teamWords.role,
                  cell: ({ role }) => ROLE_OPTIONS.find(({ value }) => value === role)?.label,
                },
                { head: teamWords.by, cell: ({ invitedBy }) => invitedBy ?? '–' },
                { head: teamWords.goodUntil, cell: ({ expiresAt }) => <WallTime at={expiresAt} /> },
                {
                  head: commonWords.actions,
                  isHeadHidden: true,
                  width: 56,
                  align: 'right',
                  cell: ({ id }) => (
                    <IconButton
                      icon={X}
                      label={teamWords.takeTheInvitationBack}
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
        <InviteDialog
          onClose={() => setAsking(false)}
          onMade={(made) => {
            setAsking(false);
            setLink(made);
            invitations.reload();
          }}
        />
      )}
      <LinkDialog link={link} onClose={() => setLink(undefined)} />
    </Part>
  );
}

interface InviteDialogProps {
  readonly onClose: () => void;
  readonly onMade: (link: ShownLink) => void;
}

function InviteDialog({ onClose, onMade }: InviteDialogProps) {
  const [role, setRole] = useState<Role>('editor');
  const [email, setEmail] = useState('');
  const invite = useAction(async () => {
    const to = email.trim();
    const made = await call('invitations.create', { body: { role, ...(to && { email: to }) } });
    onMade({ title: to ? teamWords.invitationFor(to) : teamWords.invitation, ...made });
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={teamWords.inviteSomebody}
      width="narrow"
      actions={
        <>
          <Button onClick={onClose}>{commonWords.cancel}</Button>
          <Button look="primary" busy={invite.busy} onClick={() => void invite.run()}>
            {teamWords.makeTheLink}
          </Button>
        </>
      }
    >
      <Field label={teamWords.role}>
        {(control) => <Select control={control} value={role} options={ROLE_OPTIONS} onChange={setRole} />}
      </Field>
      <Field
        label={commonWords.email}
        aside="optional"
        hint={teamWords.withItOnlyAnAccount}
        error={invite.issueAt('email')}
      >
        {(control) => (
          <TextInput
            {...control}
            type="email"
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        )}
      </Field>
      {invite.error && !invite.issueAt('email') && <Notice tone="error">{invite.error}</Notice>}
    </Dialog>
  );
}
