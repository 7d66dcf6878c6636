import { useCallback } from 'react';
import { Link } from 'react-router';
import { messageOf } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { useLoad } from '../api/use-load.ts';
import { useMe } from '../shell/session-store.ts';
import { Notice } from '../ui/notice.tsx';

export function HomePage() {
  const { workspace } = useMe();
  const pipelines = useLoad(useCallback((signal) => call('pipelines.list', { signal }), []));
  if (pipelines.kind === 'failed') return <Notice tone="error">{messageOf(pipelines.error)}</Notice>;
  if (pipelines.kind === 'loading') return null;
  return (
    <ul>
      {pipelines.value.items.map(({ id, name }) => (
        <li key={id}>
          <Link to={`/w/${workspace.id}/p/${id}`}>{name}</Link>
        </li>
      ))}
    </ul>
  );
}
