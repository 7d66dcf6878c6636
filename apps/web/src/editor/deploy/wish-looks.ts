import { OctagonX, Pause, Play, RefreshCw, RotateCcw, Square } from 'lucide-react';
import { deployWords } from '../../text/strings/deploy.ts';
import type { Wish } from './run-actions.ts';

const { controls: words } = deployWords;

const LOOKS = {
  pause: { icon: Pause, text: words.pause, about: words.pauseAbout },
  resume: { icon: Play, text: words.resume, about: words.resumeAbout },
  start: { icon: Play, text: words.start, about: words.startAbout },
  retry: { icon: RefreshCw, text: words.retry, about: words.retryAbout },
  stop: { icon: Square, text: words.stop, about: words.stopAbout },
  kill: { icon: OctagonX, text: words.kill, about: words.killAbout },
} as const satisfies Record<Exclude<Wish, 'rollback'>, { icon: typeof Pause; text: string; about: string }>;

export interface WishLook {
  readonly icon: typeof Pause;
  readonly text: string;
  readonly about: string;
}

/** `previous`: the version a roll-back goes to. */
export const lookOfWish = (wish: Wish, previous: number | undefined): WishLook =>
  wish === 'rollback'
    ? { icon: RotateCcw, text: words.rollback(previous ?? 0), about: words.rollbackAbout }
    : LOOKS[wish];
