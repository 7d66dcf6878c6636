import { Code2 } from 'lucide-react';
import { useCallback } from 'react';
import { call } from '../../api/call.ts';
import { useLoad } from '../../api/use-load.ts';
import { deadLetterWords as words } from '../../text/strings/dead-letters.ts';
import { Button } from '../../ui/button.tsx';
import type { DeadLetterGroup } from '../code/failures.ts';
import { useSameText } from '../code/use-same-text.ts';
import { useEditor, useReading } from '../editor-context.tsx';
import { useShowCode } from '../versions/address.ts';
import { findPlace } from './code-place.ts';
import styles from './dead-letters.module.css';

/**
 * The line that failed: in the code that is shown where that is the code that failed, else in the version that did.
 */
export function FailedPlace({ group: { place, newest } }: { readonly group: DeadLetterGroup }) {
  const { draft, code } = useEditor();
  useReading();
  const showCode = useShowCode();
  const ran = useRan(place, newest);
  const found = findPlace(place, draft.document);
  const isSame = useSameText(found?.id, ran?.text);
  if (place === null) return null;
  const text = place.replace(/:\d+$/, '');
  if (ran === undefined) return <code className={styles.place}>{text}</code>;
  return (
    <Button
      size="small"
      look="quiet"
      icon={Code2}
      title={isSame ? undefined : words.changedSince}
      onClick={() => (isSame && found ? code.open(found.id, found.at) : showCode(ran.version, place))}
    >
      {isSame ? words.openCode(text) : words.openCodeOf(text, ran.version)}
    </Button>
  );
}

interface Ran {
  readonly version: number;
  /** Of the file the place is in. */
  readonly text: string | undefined;
}

/** The code a group's newest letter comes of. */
function useRan(place: string | null, newest: number): Ran | undefined {
  const { pipeline } = useEditor();
  const ran = useLoad(
    useCallback(
      async (signal: AbortSignal): Promise<Ran | undefined> => {
        if (place === null) return undefined;
        const params = { pipeline, number: newest };
        const { version } = await call('dead-letters.get', { params, signal });
        const { files } = await call('versions.files', { params: { pipeline, version }, signal });
        return { version, text: files[place.replace(/:\d+:\d+$/, '')] };
      },
      [pipeline, place, newest],
    ),
  );
  return ran.kind === 'ready' ? ran.value : undefined;
}
