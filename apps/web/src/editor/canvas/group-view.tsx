import type { View } from '@millrace/protocol/api';
import type { NodeProps } from '@xyflow/react';
import { Boxes, ChevronDown, ChevronRight, CircleAlert } from 'lucide-react';
import { memo, useEffect, useRef } from 'react';
import { canvasWords as words } from '../../text/strings/canvas.ts';
import { liveWords } from '../../text/strings/live.ts';
import { Icon } from '../../ui/icon.tsx';
import { useEditor, useEditorState } from '../editor-context.tsx';
import { lagText, levelOf } from '../live/level.ts';
import { rateText } from '../live/rate-text.ts';
import { writeText } from '../live/write-text.ts';
import type { FlowNode, GroupContent } from './flow-elements.ts';
import styles from './group-view.module.css';
import { NameField } from './name-field.tsx';

type Props = NodeProps<Extract<FlowNode, { type: 'group' }>>;

/** A frame around its nodes, or one node in their place. */
export const GroupView = memo(function GroupView({ id, data, selected }: Props) {
  const isActive = useEditorState(({ active }) => active === id);
  const look = { 'data-color': data.color ?? 'slate', 'data-active': isActive, 'data-selected': selected };
  const said = `${data.name}, ${words.nodesInside(data.members.length)}`;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of nodes is no form field
    <div
      id={`node-${id}`}
      role="group"
      aria-label={said}
      className={data.isCollapsed ? styles.folded : styles.group}
      {...look}
    >
      {data.isCollapsed ? <Folded id={id} data={data} /> : <Head id={id} data={data} />}
    </div>
  );
});

interface PartProps {
  readonly id: string;
  readonly data: GroupContent;
}

function Head({ id, data }: PartProps) {
  return (
    <div className={styles.head} data-group-head>
      <Fold id={id} isCollapsed={false} />
      <Name id={id} data={data} />
    </div>
  );
}

function Folded({ id, data }: PartProps) {
  const { errors } = data.marks;
  return (
    <>
      <Sums data={data} />
      <span className={styles.icon}>
        <Icon of={Boxes} />
      </span>
      <div className={styles.titles}>
        <Name id={id} data={data} />
        <div className={styles.words}>{words.nodesInside(data.members.length)}</div>
      </div>
      <Fold id={id} isCollapsed />
      {errors > 0 && (
        <span className={styles.mark} title={data.marks.first}>
          <Icon of={CircleAlert} size={12} />
          {errors}
        </span>
      )}
    </>
  );
}

function Fold({ id, isCollapsed }: { readonly id: string; readonly isCollapsed: boolean }) {
  const { actions, canEdit } = useEditor();
  const label = isCollapsed ? words.expand : words.collapse;
  return (
    <button
      type="button"
      className={`${styles.fold} nodrag`}
      tabIndex={-1}
      aria-label={label}
      aria-expanded={!isCollapsed}
      title={label}
      disabled={!canEdit}
      onClick={(event) => {
        event.stopPropagation();
        actions.toggleGroup(id);
      }}
    >
      <Icon of={isCollapsed ? ChevronRight : ChevronDown} size={14} />
    </button>
  );
}

function Name({ id, data }: PartProps) {
  const { store, canEdit } = useEditor();
  const isRenaming = useEditorState(({ renaming }) => renaming === id);
  if (isRenaming) return <NameField id={id} name={data.name} />;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: F2 does the same
    <span
      className={styles.name}
      onDoubleClick={(event) => {
        event.stopPropagation();
        if (canEdit) store.setState({ renaming: id });
      }}
    >
      {data.name}
    </span>
  );
}

/** What flows into it and out of it, and the worst lag inside; painted from outside React. */
function Sums({ data }: { readonly data: GroupContent }) {
  const { live } = useEditor();
  const part = useRef<HTMLDivElement>(null);
  const { members, into, outOf } = data;
  useEffect(() => {
    const [gauge, rates, foot] = [...(part.current?.children ?? [])] as HTMLElement[];
    const [up, down] = [...(rates?.children ?? [])] as HTMLElement[];
    return live.paintAll((view, isBeat) => {
      const { lag, inRate, outRate } = sumsOf(view, { members, into, outOf });
      if (isBeat) {
        writeText(up, view && into.length > 0 ? rateText(inRate) : '');
        writeText(down, view && outOf.length > 0 ? rateText(outRate) : '');
        writeText(foot, lag === undefined ? '' : liveWords.behind(lagText(lag)));
      }
      if (gauge) gauge.hidden = lag === undefined;
      if (gauge && lag !== undefined)
        gauge.style.backgroundSize = `100% ${Math.round(levelOf(lag) * 50) * 2}%`;
    });
  }, [live, members, into, outOf]);
  return (
    <div ref={part} className={styles.live}>
      <span className={styles.gauge} hidden />
      <span className={styles.rates}>
        <span title={words.recordsIn} />
        <span title={words.recordsOut} />
      </span>
      <span className={styles.foot} title={liveWords.slowestInside} />
    </div>
  );
}

type Insides = Pick<GroupContent, 'members' | 'into' | 'outOf'>;

export function sumsOf(view: View | undefined, { members, into, outOf }: Insides) {
  const rate = (ids: readonly string[]): number => {
    const wanted = new Set(ids);
    return (view?.streams ?? []).reduce(
      (sum, one) => sum + (wanted.has(one.stream) ? (one.rate ?? 0) : 0),
      0,
    );
  };
  const inside = new Set(members);
  const lags = (view?.nodes ?? []).flatMap(({ node, lagMs }) =>
    inside.has(node) && lagMs !== undefined ? [lagMs] : [],
  );
  const lag = lags.length === 0 ? undefined : Math.max(...lags);
  return { lag, inRate: rate(into), outRate: rate(outOf) };
}
