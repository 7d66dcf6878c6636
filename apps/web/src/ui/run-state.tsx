import {
  CircleCheck,
  CircleDashed,
  CircleDot,
  CircleStop,
  CircleX,
  Hourglass,
  type LucideIcon,
  Pause,
  Play,
} from 'lucide-react';
import { Badge, type Tone } from './badge.tsx';

/** As the server says it, or `none`: never deployed. */
export type RunState =
  | 'none'
  | 'starting'
  | 'running'
  | 'paused'
  | 'draining'
  | 'stopped'
  | 'ended'
  | 'failed';

const LOOKS: Readonly<Record<RunState, { word: string; icon: LucideIcon; tone: Tone }>> = {
  none: { word: 'Not deployed', icon: CircleDashed, tone: 'neutral' },
  starting: { word: 'Starting', icon: Hourglass, tone: 'neutral' },
  running: { word: 'Running', icon: Play, tone: 'ok' },
  paused: { word: 'Paused', icon: Pause, tone: 'warn' },
  draining: { word: 'Draining', icon: CircleDot, tone: 'warn' },
  stopped: { word: 'Stopped', icon: CircleStop, tone: 'neutral' },
  ended: { word: 'Done', icon: CircleCheck, tone: 'ok' },
  failed: { word: 'Failed', icon: CircleX, tone: 'error' },
};

export interface RunStateBadgeProps {
  readonly state: RunState;
  readonly bare?: boolean;
}

/** What a pipeline does, in a word with its icon. */
export function RunStateBadge({ state, bare = false }: RunStateBadgeProps) {
  const { word, icon, tone } = LOOKS[state];
  return (
    <Badge tone={tone} icon={icon} bare={bare}>
      {word}
    </Badge>
  );
}
