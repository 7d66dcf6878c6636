/** What the audit log tells, in words. What it is told of stands beside. */
const ACTIONS: Readonly<Record<string, string>> = {
  'access.written': 'Changed hosts and folders',
  'account.password-changed': 'Changed the password',
  'account.password-reset': 'Set a new password by link',
  'account.renamed': 'Changed the name',
  'dead-letters.discarded': 'Discarded dead letters',
  'dead-letters.redriven': 'Redrove dead letters',
  'draft.edited': 'Edited the draft',
  'draft.imported': 'Imported into the draft',
  'draft.restored': 'Restored a version',
  'draft.saved': 'Replaced the draft',
  'invitation.made': 'Invited',
  'invitation.revoked': 'Took an invitation back',
  'keys.moved': 'Gave keys to another worker',
  'member.joined': 'Joined',
  'member.left': 'Left',
  'member.password-link-made': 'Made a link for a new password',
  'member.removed': 'Removed from the workspace',
  'member.role-changed': 'Changed the role',
  'owner.made': 'Made the first account',
  'pipeline.changed': 'Changed name, description or tags',
  'pipeline.created': 'Created',
  'pipeline.deleted': 'Deleted',
  'pipeline.deployed': 'Deployed',
  'pipeline.duplicated': 'Duplicated',
  'pipeline.imported': 'Imported',
  'pipeline.killed': 'Ended at once',
  'pipeline.paused': 'Paused',
  'pipeline.purged': 'Deleted for good',
  'pipeline.resized': 'Changed the number of workers of',
  'pipeline.restored': 'Restored',
  'pipeline.resumed': 'Resumed',
  'pipeline.started': 'Started',
  'pipeline.stopped': 'Stopped',
  'secret.deleted': 'Deleted a secret',
  'secret.written': 'Wrote a secret',
  'session.started': 'Signed in',
  'token.made': 'Made an API token',
  'token.revoked': 'Revoked an API token',
  'version.created': 'Published a version',
  'workspace.renamed': 'Renamed the workspace',
};

export function auditAction(action: string, { role, version }: Readonly<Record<string, unknown>>): string {
  const words = ACTIONS[action] ?? action;
  if (typeof version === 'number') return `${words} · version ${version}`;
  return typeof role === 'string' ? `${words} · ${role}` : words;
}
