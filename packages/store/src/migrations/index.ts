/** Append-only: a migration that was ever released is never changed. */
import { SQL as spine } from './0001-spine.ts';
import { SQL as accounts } from './0002-accounts.ts';
import { SQL as catalog } from './0003-catalog.ts';
import { SQL as deployments } from './0004-deployments.ts';
import { SQL as secrets } from './0005-secrets.ts';
import { SQL as deadLetterGroups } from './0006-dead-letter-groups.ts';
import { SQL as documents } from './0008-documents.ts';
import { SQL as redrivenLetters } from './0010-redriven-letters.ts';
import { SQL as letterInputs } from './0011-letter-inputs.ts';
import { SQL as redriving } from './0013-redriving.ts';
import { SQL as standby } from './0015-standby.ts';

export const MIGRATIONS: readonly { readonly number: number; readonly name: string; readonly sql: string }[] =
  [
    { number: 1, name: 'spine', sql: spine },
    { number: 2, name: 'accounts', sql: accounts },
    { number: 3, name: 'catalog', sql: catalog },
    { number: 4, name: 'deployments', sql: deployments },
    { number: 5, name: 'secrets', sql: secrets },
    { number: 6, name: 'dead-letter-groups', sql: deadLetterGroups },
    { number: 8, name: 'documents', sql: documents },
    { number: 10, name: 'redriven-letters', sql: redrivenLetters },
    { number: 11, name: 'letter-inputs', sql: letterInputs },
    { number: 13, name: 'redriving', sql: redriving },
    { number: 15, name: 'standby', sql: standby },
  ];
