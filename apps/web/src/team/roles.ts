import type { Role } from '@millrace/protocol/api';

/** Roles in words, for choosing one. */
export const ROLE_OPTIONS: readonly {
  readonly value: Role;
  readonly label: string;
  readonly about: string;
}[] = [
  { value: 'viewer', label: 'Viewer', about: 'Sees graphs and live numbers, never a record.' },
  { value: 'editor', label: 'Editor', about: 'Draws, deploys, operates; sees records.' },
  { value: 'owner', label: 'Owner', about: 'All of it, and members, secrets and settings.' },
];
