/** Everything of a node that moves: painted from outside React, ten times a second at most. */
import type { ViewNode } from '@millrace/protocol/api';
import { useEffect, useRef } from 'react';
import { formatCount, formatFull } from '../../text/format-number.ts';
import { canvasWords } from '../../text/strings/canvas.ts';
import { liveWords as words } from '../../text/strings/live.ts';
import { useEditor } from '../editor-context.tsx';
import { gaugeOf } from '../live/level.ts';
import { rateText } from '../live/rate-text.ts';
import { paintWatermark, WatermarkText } from '../live/watermark-text.tsx';
import { writeText } from '../live/write-text.ts';
import styles from './live-part.module.css';
import { useSight } from './use-sight.ts';

export interface LivePartProps {
  readonly id: string;
  readonly hasInputs: boolean;
  readonly hasOutputs: boolean;
  /** Its node's name leaves no room beside it. */
  readonly isNameLong: boolean;
}

export function LivePart({ id, hasInputs, hasOutputs, isNameLong }: LivePartProps) {
  const { live, letters } = useEditor();
  const sight = useSight();
  const part = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const root = part.current;
    if (root === null) return;
    const [gauge, rates, busy, foot] = [...root.children] as HTMLElement[];
    const [into, out] = [...(rates?.children ?? [])] as HTMLElement[];
    const [watermark, badges] = [...(foot?.children ?? [])] as HTMLElement[];
    let wasSeen = false;
    return live.paintNode(id, (node, isBeat) => {
      const isSeen = sight.isSeen(id);
      const isWritten = isBeat || !wasSeen;
      wasSeen = isSeen;
      if (!isSeen) return;
      const state = node === undefined ? 'off' : 'on';
      if (root.dataset.live !== state) root.dataset.live = state;
      if (gauge) paintGauge(gauge, node);
      fill(busy, 'width', Math.min(1, node?.busy ?? 0));
      if (!isWritten) return;
      writeText(into, node && hasInputs ? rateText(node.inRate) : '');
      writeText(out, node && hasOutputs ? rateText(node.outRate) : '');
      if (busy) busy.title = words.busy(Math.round(100 * (node?.busy ?? 0)));
      if (watermark) paintWatermark(watermark, node);
      if (badges) paintBadges(badges, node, letters.of(id, node?.deadLettered ?? 0));
    });
  }, [id, live, letters, sight, hasInputs, hasOutputs]);
  return (
    <div ref={part} className={styles.live} data-live="off" data-name={isNameLong ? 'long' : 'short'}>
      <span className={styles.gauge} data-gauge="none" />
      <span className={styles.rates}>
        <span title={canvasWords.recordsIn} />
        <span title={canvasWords.recordsOut} />
      </span>
      <span className={styles.busy} />
      <span className={styles.foot}>
        <span className={styles.watermark} title={words.watermarkAbout}>
          <WatermarkText />
        </span>
        <span className={styles.badges}>
          {BADGES.map(({ kind }) => (
            <span key={kind} data-badge={kind} hidden />
          ))}
        </span>
      </span>
    </div>
  );
}

interface BadgeSpec {
  readonly kind: 'dead' | 'late' | 'held' | 'setAside';
  /** `open`: dead letters that are still there, where that is known. */
  readonly of: (node: ViewNode, open: number | undefined) => number | undefined;
  readonly about: string;
}

const BADGES: readonly BadgeSpec[] = [
  { kind: 'dead', of: ({ deadLettered }, open) => open ?? deadLettered, about: words.deadAbout },
  { kind: 'late', of: ({ late }) => late, about: words.lateAbout },
  { kind: 'held', of: ({ waiting }) => waiting, about: words.heldAbout },
  { kind: 'setAside', of: ({ setAside }) => setAside, about: words.setAsideAbout },
];

function paintBadges(badges: HTMLElement, node: ViewNode | undefined, open: number | undefined): void {
  BADGES.forEach(({ kind, of, about }, i) => {
    const badge = badges.children[i] as HTMLElement;
    const count = node === undefined ? 0 : (of(node, open) ?? 0);
    const isHidden = count === 0;
    if (badge.hidden !== isHidden) badge.hidden = isHidden;
    if (isHidden) return;
    writeText(badge, words[kind](formatCount(count)));
    const all = kind === 'dead' ? (node?.deadLettered ?? 0) : count;
    const title = `${about}: ${all === count ? formatFull(count) : words.openOf(formatFull(count), formatFull(all))}`;
    if (badge.title !== title) badge.title = title;
  });
}

function paintGauge(gauge: HTMLElement, node: ViewNode | undefined): void {
  const shown = node === undefined ? undefined : gaugeOf(node.watermark, node.lagMs);
  const kind = shown?.kind ?? 'none';
  if (gauge.dataset.gauge !== kind) gauge.dataset.gauge = kind;
  if (shown?.kind === 'level') fill(gauge, 'height', shown.level);
}

/** In steps of two in a hundred: what nobody sees is not drawn again. */
function fill(bar: HTMLElement | undefined, how: 'width' | 'height', share: number): void {
  const part = `${Math.round(share * 50) * 2}%`;
  if (bar === undefined || bar.dataset.part === part) return;
  bar.dataset.part = part;
  bar.style.backgroundSize = how === 'width' ? `${part} 100%` : `100% ${part}`;
}
