/** What can be chosen where a secret is named. */
import { Plus } from 'lucide-react';
import { inspectorWords as words } from '../../../text/strings/inspector.ts';
import type { SelectOption } from '../../../ui/select.tsx';

/** No name of a secret begins with a space. */
export const NEW_SECRET = ' new';

/** A name that is set but not there stays, marked. */
export function secretOptions(
  names: readonly string[],
  chosen: string | undefined,
  mayAdd: boolean,
): readonly SelectOption<string>[] {
  const isMissing = chosen !== undefined && chosen !== '' && !names.includes(chosen);
  return [
    ...(isMissing ? [{ value: chosen, label: chosen, about: words.secretMissing }] : []),
    ...names.map((name) => ({ value: name, label: name })),
    ...(mayAdd ? [{ value: NEW_SECRET, label: words.newSecret, action: Plus }] : []),
  ];
}
