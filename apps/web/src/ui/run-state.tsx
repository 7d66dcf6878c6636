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
  RotateCcw,
} from 'lucide-react';
import { commonWords } from '../text/strings/common.ts';
import { uiWords } from '../text/strings/ui.ts';
import { Badge, type Tone } from './badge.tsx';

/** As the server says it, or `none`: never deployed. */
export type RunState =
  | 'none'
  | 'starting'
  | 'running'
  | 'paused'
  | 'draining'
  | 'redriving'
  | 'stopped'
  | 'ended'
  | 'failed';

const LOOKS: Readonly<Record<RunState, { word: string; icon: LucideIcon; tone: Tone }>> = {
  none: { word: uiWords.notDeployed, icon: CircleDashed, tone: 'neutral' },
  starting: { word: uiWords.starting, icon: Hourglass, tone: 'neutral' },
  running: { word: uiWords.running, icon: Play, tone: 'ok' },
  paused: { word: uiWords.paused, icon: Pause, tone: 'warn' },
  draining: { word: uiWords.draining, icon: CircleDot, tone: 'warn' },
  redriving: { word: uiWords.redriving, icon: RotateCcw, tone: 'ok' },
  stopped: { word: uiWords.stopped, icon: CircleStop, tone: 'neutral' },
  ended: { word: commonWords.done, icon: CircleCheck, tone: 'ok' },
  failed: { word: uiWords.failed, icon: CircleX, tone: 'error' },
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
