import { useRouteError } from 'react-router';
import { messageOf } from '../api/api-error.ts';
import { shellWords } from '../text/strings/shell.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Mark } from '../ui/mark.tsx';

/** A fault of ours, or a part of the page that an update took away. */
export function BrokenPage() {
  const error = useRouteError();
  return (
    <EmptyState
      picture={<Mark size={40} />}
      title={shellWords.thisViewBroke}
      action={
        <Button look="primary" onClick={() => location.reload()}>
          {shellWords.reload}
        </Button>
      }
    >
      {shellWords.savedIsSafe(messageOf(error))}
    </EmptyState>
  );
}
