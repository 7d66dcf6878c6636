import { caseWords as words } from '../../text/strings/cases.ts';
import { Notice } from '../../ui/notice.tsx';
import { useCaseState } from './use-cases.ts';

/** Why there is no result yet, or none at all. */
export function RunNote() {
  const queued = useCaseState((state) => state.queued);
  const error = useCaseState((state) => state.error);
  if (queued !== undefined) return <Notice tone="info">{words.queued(queued)}</Notice>;
  if (error === undefined) return null;
  return (
    <Notice tone="error" title={words.couldNotRun}>
      {error}
    </Notice>
  );
}
