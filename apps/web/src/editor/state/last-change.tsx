import { stateWords as words } from '../../text/strings/state.ts';
import { WallTime } from '../../ui/time.tsx';
import type { StoredKey } from './use-keys.ts';

interface LastChangeProps extends Pick<StoredKey, 'changed'> {
  readonly as?: 'ago' | 'moment';
}

/** When something of a key was last changed, as well as it is known. */
export function LastChange({ changed, as = 'ago' }: LastChangeProps) {
  if (changed === undefined) return <span title={words.changedUnknownAbout}>{words.changedUnknown}</span>;
  if (changed === 'unfolded') return <span title={words.unfoldedAbout}>{words.unfolded}</span>;
  return (
    <span title={words.changedAbout}>
      {words.changed} <WallTime at={changed} as={as} />
    </span>
  );
}
