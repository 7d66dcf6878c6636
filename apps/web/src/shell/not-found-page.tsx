import { useNavigate } from 'react-router';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Mark } from '../ui/mark.tsx';

export function NotFoundPage() {
  const navigate = useNavigate();
  return (
    <EmptyState
      picture={<Mark size={40} />}
      title="There is nothing at this address"
      action={<Button onClick={() => navigate('/')}>Go to the pipelines</Button>}
    >
      It may have been deleted, or the link lost a part on its way.
    </EmptyState>
  );
}
