/** Whether injectors are read, and if not, why: by a person's wish, by pressure from behind, by the skew cap. */
import type { SkewGate } from './skew-gate.ts';

export type Pause = 'paused' | 'pressure' | 'skew';

export class ReadingPace {
  /** By a person. */
  held: boolean;
  /** Folder or sinks are behind. */
  pressed = false;
  readonly skew: SkewGate;

  constructor(held: boolean, skew: SkewGate) {
    this.held = held;
    this.skew = skew;
  }

  /** Why an injector is not read; undefined while it is. */
  why(node: number): Pause | undefined {
    if (this.held) return 'paused';
    if (this.pressed) return 'pressure';
    return this.skew.waits(node) ? 'skew' : undefined;
  }
}
