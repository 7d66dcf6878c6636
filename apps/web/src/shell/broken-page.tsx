import { useRouteError } from 'react-router';
import { messageOf } from '../api/api-error.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Mark } from '../ui/mark.tsx';

/** A fault of ours, or a part of the page that an update took away. */
export function BrokenPage() {
  const error = useRouteError();
  return (
    <EmptyState
      picture={<Mark size={40} />}
      title="This view broke"
      action={
        <Button look="primary" onClick={() => location.reload()}>
          Reload
        </Button>
      }
    >
      {messageOf(error)} What you had saved is safe; reload to go on.
    </EmptyState>
  );
}
