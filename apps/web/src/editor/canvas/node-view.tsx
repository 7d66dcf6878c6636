import type { ViewNode } from '@millrace/protocol/api';
import type { NodeProps } from '@xyflow/react';
import { CircleAlert, TriangleAlert } from 'lucide-react';
import { memo, useEffect, useRef } from 'react';
import { formatCount } from '../../text/format-number.ts';
import { Icon } from '../../ui/icon.tsx';
import { useEditor, useEditorState } from '../editor-context.tsx';
import { gaugeOf, watermarkWords } from '../live/level.ts';
import { rateText } from '../live/rate-text.ts';
import { iconOf } from '../node-icons.tsx';
import { StandingMark } from '../versions/standing-mark.tsx';
import type { FlowNode, NodeContent } from './flow-elements.ts';
import { NameField } from './name-field.tsx';
import styles from './node-view.module.css';
import { PortView } from './port-view.tsx';

type Props = NodeProps<Extract<FlowNode, { type: 'node' }>>;

export const NodeView = memo(function NodeView({ id, data, selected }: Props) {
  const isActive = useEditorState(({ active }) => active === id);
  const isRenaming = useEditorState(({ renaming }) => renaming === id);
  const { node, look, words, shape, title } = data;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a node is a group of its ports, not a form field
    <div
      id={`node-${id}`}
      role="group"
      aria-label={spoken(data)}
      className={styles.node}
      data-look={look}
      data-selected={selected}
      data-active={isActive}
      data-error={data.marks.errors > 0}
      style={{ height: shape.height }}
    >
      <LivePart id={id} hasInputs={shape.inputs.length > 0} hasOutputs={shape.outputs.length > 0} />
      <span className={styles.icon}>
        <Icon of={iconOf(node.type)} />
      </span>
      <div className={styles.titles}>
        {isRenaming ? <NameField id={id} name={node.name} /> : <div className={styles.name}>{node.name}</div>}
        <div className={styles.words}>{words === '' ? title.toLowerCase() : words}</div>
      </div>
      <StandingMark id={id} />
      <MarksPart marks={data.marks} />
      {shape.inputs.map((place) => (
        <PortView key={`i${place.name}`} node={id} side="input" place={place} />
      ))}
      {shape.outputs.map((place) => (
        <PortView key={`o${place.name}`} node={id} side="output" place={place} />
      ))}
    </div>
  );
});

function MarksPart({ marks: { errors, warnings, first } }: Pick<NodeContent, 'marks'>) {
  if (errors + warnings === 0) return null;
  const isError = errors > 0;
  return (
    <span className={styles.mark} data-tone={isError ? 'error' : 'warn'} title={first}>
      <Icon of={isError ? CircleAlert : TriangleAlert} size={12} />
      {isError ? errors : warnings}
    </span>
  );
}

interface LivePartProps {
  readonly id: string;
  readonly hasInputs: boolean;
  readonly hasOutputs: boolean;
}

/** Everything of a node that moves: painted from outside React, ten times a second at most. */
export function LivePart({ id, hasInputs, hasOutputs }: LivePartProps) {
  const { live } = useEditor();
  const part = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const root = part.current;
    if (root === null) return;
    const [gauge, rates, late, busy] = [...root.children] as HTMLElement[];
    const [into, out] = [...(rates?.children ?? [])] as HTMLElement[];
    return live.paintNode(id, (node) => {
      const state = node === undefined ? 'off' : 'on';
      if (root.dataset.live !== state) root.dataset.live = state;
      if (gauge) paintGauge(gauge, node);
      write(into, node && hasInputs ? rateText(node.inRate) : '');
      write(out, node && hasOutputs ? rateText(node.outRate) : '');
      write(late, lateWords(node));
      scale(busy, 'scaleX', Math.min(1, node?.busy ?? 0));
    });
  }, [id, live, hasInputs, hasOutputs]);
  return (
    <div ref={part} className={styles.live} data-live="off">
      <span className={styles.gauge} data-gauge="none">
        <i />
      </span>
      <span className={styles.rates}>
        <span title="records a second, in" />
        <span title="records a second, out" />
      </span>
      <span className={styles.late} />
      <span className={styles.busy}>
        <i />
      </span>
    </div>
  );
}

function paintGauge(gauge: HTMLElement, node: ViewNode | undefined): void {
  if (node === undefined) {
    gauge.dataset.gauge = 'none';
    return;
  }
  const shown = gaugeOf(node.watermark, node.lagMs);
  if (gauge.dataset.gauge !== shown.kind) gauge.dataset.gauge = shown.kind;
  if (shown.kind === 'level') scale(gauge, 'scaleY', shown.level);
  const words = watermarkWords(node.watermark, node.lagMs);
  if (gauge.title !== words) gauge.title = words;
}

/** In steps of two in a hundred: what nobody sees is not drawn again. */
function scale(bar: HTMLElement | undefined, how: 'scaleX' | 'scaleY', share: number): void {
  const inner = bar?.firstElementChild as HTMLElement | null | undefined;
  const transform = `${how}(${Math.round(share * 50) / 50})`;
  if (inner && inner.dataset.now !== transform) {
    inner.dataset.now = transform;
    inner.style.transform = transform;
  }
}

function lateWords(node: ViewNode | undefined): string {
  const parts = [
    node?.deadLettered ? `${formatCount(node.deadLettered)} dead` : '',
    node?.late ? `${formatCount(node.late)} late` : '',
  ];
  return parts.filter(Boolean).join(' · ');
}

/** Only what is another text: writing the same text costs a layout too. */
function write(element: HTMLElement | undefined, text: string): void {
  if (element !== undefined && element.textContent !== text) element.textContent = text;
}

function spoken({ node, title, words, marks }: NodeContent): string {
  const faults = marks.errors > 0 ? `, ${marks.errors} errors` : '';
  return `${node.name}, ${title}${words === '' ? '' : `, ${words}`}${faults}`;
}
