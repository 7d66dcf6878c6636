import { Equal, Minus, Pencil, Plus, TextCursorInput } from 'lucide-react';
import { compareWords as words } from '../../../text/strings/compare.ts';
import { Badge, type Tone } from '../../../ui/badge.tsx';
import type { ChangeKind } from './compare-graphs.ts';

const LOOKS = {
  new: { icon: Plus, tone: 'ok' },
  removed: { icon: Minus, tone: 'error' },
  changed: { icon: Pencil, tone: 'warn' },
  kept: { icon: Equal, tone: 'neutral' },
} as const satisfies Record<ChangeKind, { icon: typeof Plus; tone: Tone }>;

export interface ChangeBadgeProps {
  readonly kind: ChangeKind;
  readonly isRenamed?: boolean;
  readonly bare?: boolean;
}

/** What became of a node or stream: a word with its icon. */
export function ChangeBadge({ kind, isRenamed = false, bare = false }: ChangeBadgeProps) {
  if (kind === 'kept' && isRenamed)
    return (
      <Badge icon={TextCursorInput} tone="neutral" bare={bare}>
        {words.kinds.renamed}
      </Badge>
    );
  const { icon, tone } = LOOKS[kind];
  return (
    <Badge icon={icon} tone={tone} bare={bare}>
      {words.kinds[kind]}
      {isRenamed && `, ${words.kinds.renamed}`}
    </Badge>
  );
}
