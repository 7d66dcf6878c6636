import { useNavigate } from 'react-router';
import { shellWords } from '../text/strings/shell.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Mark } from '../ui/mark.tsx';

export function NotFoundPage() {
  const navigate = useNavigate();
  return (
    <EmptyState
      picture={<Mark size={40} />}
      title={shellWords.thereIsNothing}
      action={<Button onClick={() => navigate('/')}>{shellWords.goToThePipelines}</Button>}
    >
      {shellWords.itMayHaveBeenDeleted}
    </EmptyState>
  );
}
