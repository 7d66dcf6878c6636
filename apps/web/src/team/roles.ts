import type { Role } from '@millrace/protocol/api';
import { teamWords } from '../text/strings/team.ts';

/** Roles in words, for choosing one. */
export const ROLE_OPTIONS: readonly {
  readonly value: Role;
  readonly label: string;
  readonly about: string;
}[] = [
  { value: 'viewer', label: teamWords.viewer, about: teamWords.seesGraphsAndLiveNumbers },
  { value: 'editor', label: teamWords.editor, about: teamWords.drawsDeploysOperatesSeesRecords },
  { value: 'owner', label: teamWords.owner, about: teamWords.allOfItAndMembers },
];
