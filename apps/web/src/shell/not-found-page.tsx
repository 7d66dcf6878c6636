import { shellWords } from '../text/strings/shell.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { Mark } from '../ui/mark.tsx';
import { WayOut } from './way-out.tsx';

export function NotFoundPage() {
  return (
    <EmptyState picture={<Mark size={40} />} title={shellWords.thereIsNothing} action={<WayOut />}>
      {shellWords.itMayHaveBeenDeleted}
    </EmptyState>
  );
}
