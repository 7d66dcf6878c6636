import type { Issue } from '@millrace/graph';
import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react';
import { useStore } from 'zustand';
import { Icon } from '../../ui/icon.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import type { CanvasSlot } from '../canvas/canvas-view.ts';
import { useEditor, useProblems, useReading } from '../editor-context.tsx';
import { select } from '../editor-store.ts';
import { issueWords } from './issue-words.ts';
import styles from './problems.module.css';

/** Everything that is wrong with the draft. A click goes there. */
export function Problems({ slot }: { readonly slot: CanvasSlot }) {
  const { store, code } = useEditor();
  const checking = useStore(code.store, (state) => state.checking);
  const issues = useProblems();
  const { pipeline } = useReading();
  const ordered = [...issues].sort((a, b) => Number(b.severity === 'error') - Number(a.severity === 'error'));
  const goTo = ({ node, stream, file }: Issue): void => {
    if (stream !== undefined && pipeline.streams.has(stream)) select(store, { streams: [stream] });
    else if (node !== undefined) select(store, { nodes: [node] });
    else return;
    slot.current?.reveal([stream ?? node ?? '']);
    if (node !== undefined && file === pipeline.nodes.get(node)?.code) code.open(node);
  };
  if (checking && ordered.length === 0) {
    return (
      <p className={styles.none}>
        <Spinner /> Checking the code…
      </p>
    );
  }
  if (ordered.length === 0) {
    return (
      <p className={styles.none}>
        <Icon of={CircleCheck} /> No problems: graph and code are sound.
      </p>
    );
  }
  return (
    <ul className={styles.list} aria-label="Problems">
      {ordered.map((issue, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an issue is its place and text; two may be alike
        <li key={`${issue.code}${issue.path}${i}`}>
          <button type="button" className={styles.issue} onClick={() => goTo(issue)}>
            <span className={styles.sign} data-tone={issue.severity}>
              <Icon
                of={issue.severity === 'error' ? CircleAlert : TriangleAlert}
                size={14}
                label={issue.severity}
              />
            </span>
            <span className={styles.text}>{issueWords(issue)}</span>
            <span className={styles.where}>{whereOf(issue, pipeline.nodes.get(issue.node ?? '')?.name)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function whereOf({ file, line, node }: Issue, name: string | undefined): string {
  const place = file === 'pipeline.json' ? '' : `${file}:${line}`;
  return [name ?? node, place].filter(Boolean).join(' · ');
}
