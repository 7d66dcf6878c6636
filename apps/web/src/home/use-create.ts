import type { RouteOf, SentBodyOf } from '@millrace/protocol/api';
import { useNavigate } from 'react-router';
import { messageOf } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { useAction } from '../api/use-action.ts';
import { useMe } from '../shell/session-store.ts';
import { homeWords } from '../text/strings/home.ts';
import { toast } from '../ui/toast-store.ts';

/** Makes a pipeline and opens it. */
export function useCreate() {
  const { workspace } = useMe();
  const navigate = useNavigate();
  return useAction(async (body: SentBodyOf<RouteOf<'pipelines.create'>>) => {
    try {
      const { id } = await call('pipelines.create', { body });
      navigate(`/w/${workspace.id}/p/${id}`);
    } catch (error) {
      toast('error', homeWords.notMade(messageOf(error)));
    }
  });
}
