import { Waypoints } from 'lucide-react';
import { useCallback } from 'react';
import { useNavigate } from 'react-router';
import { call } from '../api/call.ts';
import { useLoad } from '../api/use-load.ts';
import { commonWords } from '../text/strings/common.ts';
import { CommandList } from '../ui/command-list.tsx';
import { useAllCommands } from './commands.ts';
import { arrived } from './overlay-store.ts';
import { useMe } from './session-store.ts';

const MOST_PIPELINES = 100;

/** Every action there is now, and every pipeline. */
export function CommandPalette({ onClose }: { readonly onClose: () => void }) {
  const { workspace } = useMe();
  const navigate = useNavigate();
  const commands = useAllCommands();
  const pipelines = useLoad(
    useCallback((signal) => call('pipelines.list', { query: { limit: MOST_PIPELINES }, signal }), []),
  );
  const places = (pipelines.kind === 'ready' ? pipelines.value.items : []).map(({ id, name, tags }) => ({
    id,
    title: name,
    group: commonWords.pipelines,
    icon: Waypoints,
    words: tags,
    run: () => void navigate(`/w/${workspace.id}/p/${id}`),
  }));
  const own = commands.filter(({ id }) => id !== 'commands');
  return <CommandList open onClose={onClose} typed={arrived} entries={[...own, ...places]} />;
}
