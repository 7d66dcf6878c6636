import { useParams } from 'react-router';
import { EmptyState } from '../ui/empty-state.tsx';
import { Mark } from '../ui/mark.tsx';

export function EditorPage() {
  const { pipeline } = useParams();
  return (
    <EmptyState picture={<Mark size={40} />} title={`Pipeline ${pipeline}`}>
      It is drawn here.
    </EmptyState>
  );
}
