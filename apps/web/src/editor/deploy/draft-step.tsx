import { useMemo, useState } from 'react';
import { useMe } from '../../shell/session-store.ts';
import { deployWords } from '../../text/strings/deploy.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { useDeployed, useEditor, useProblems } from '../editor-context.tsx';
import { issueWords } from '../problems/issue-words.ts';
import { ChangeList } from '../versions/compare/change-list.tsx';
import { compareGraphs } from '../versions/compare/compare-graphs.ts';
import { EMPTY_GRAPH, graphOfDocument, type VersionGraph } from '../versions/compare/version-graph.ts';
import styles from './deploy-dialog.module.css';
import { DraftEditors } from './draft-editors.tsx';
import type { Frozen } from './use-frozen-draft.ts';
import { useNames } from './use-names.ts';

const { dialog: words } = deployWords;
const SHOWN_ERRORS = 3;

export interface DraftStepProps {
  readonly frozen: Frozen;
  readonly message: string;
  readonly onMessage: (message: string) => void;
}

/** What of the draft goes out, and under which words. */
export function DraftStep({ frozen, message, onMessage }: DraftStepProps) {
  const errors = useProblems().filter(({ severity }) => severity === 'error');
  const version = useDeployed((state) => state.version);
  return (
    <>
      {errors.length > 0 && (
        <Notice tone="error" title={words.errors(errors.length)}>
          <ul className={styles.issues}>
            {errors.slice(0, SHOWN_ERRORS).map((issue) => (
              <li key={`${issue.code} ${issue.node} ${issue.stream} ${issue.message}`}>
                {issueWords(issue)}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {frozen.edited !== undefined && <Edited frozen={frozen} />}
      <Field label={words.message} hint={words.messageHint}>
        {(control) => (
          <TextInput
            {...control}
            value={message}
            maxLength={2_000}
            autoFocus
            autoComplete="off"
            onChange={(event) => onMessage(event.target.value)}
          />
        )}
      </Field>
      <section>
        <h3 className={styles.heading}>{words.changes(version?.number)}</h3>
        {frozen.state.kind === 'ready' && (
          <DraftEditors since={version?.number} revision={frozen.state.value.revision} />
        )}
        <LoadState of={frozen.state}>{({ graph }) => <Changes graph={graph} from={version} />}</LoadState>
      </section>
    </>
  );
}

function Edited({ frozen: { edited, renew } }: { readonly frozen: Frozen }) {
  const names = useNames();
  const me = useMe().account.id;
  const name = edited?.by === undefined || edited.by === me ? undefined : names.get(edited.by);
  return (
    <Notice
      tone="warn"
      action={
        <Button size="small" onClick={renew}>
          {words.lookAgain}
        </Button>
      }
    >
      {name === undefined ? words.edited : words.editedBy(name)}
    </Notice>
  );
}

interface ChangesProps {
  readonly graph: VersionGraph;
  readonly from: Parameters<typeof graphOfDocument>[0] | undefined;
}

function Changes({ graph, from }: ChangesProps) {
  const { types } = useEditor();
  const [picked, setPicked] = useState<string>();
  const before = useMemo(() => (from === undefined ? EMPTY_GRAPH : graphOfDocument(from)), [from]);
  const comparison = useMemo(() => compareGraphs(before, graph, types), [before, graph, types]);
  return (
    <div className={styles.changes} data-open={picked !== undefined}>
      <ChangeList before={before} after={graph} comparison={comparison} picked={picked} onPick={setPicked} />
    </div>
  );
}
