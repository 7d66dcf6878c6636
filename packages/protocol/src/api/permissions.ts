/** Permissions are checked, never roles: a role is only a set of them (editor.md section 6). */
export const PERMISSIONS = [
  'graph.read',
  'graph.write',
  'live.read',
  'data.read',
  'data.write',
  'run.operate',
  'run.deploy',
  'members.manage',
  'settings.manage',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

export const ROLES = ['viewer', 'editor', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** A viewer sees graphs and live numbers, never a value of a record. */
export const ROLE_PERMISSIONS: Readonly<Record<Role, readonly Permission[]>> = {
  viewer: ['graph.read', 'live.read'],
  editor: ['graph.read', 'graph.write', 'live.read', 'data.read', 'data.write', 'run.operate', 'run.deploy'],
  owner: PERMISSIONS,
};

/** What a token may be given: a permission, or only the right to post records. */
export const SCOPES = [...PERMISSIONS, 'ingest'] as const;
export type Scope = (typeof SCOPES)[number];

/** Who may write data may also post it. */
export function scopesOf(role: Role): readonly Scope[] {
  const permissions = ROLE_PERMISSIONS[role];
  return permissions.includes('data.write') ? [...permissions, 'ingest'] : permissions;
}
