import type { Issue, Node } from '@millrace/graph';
import { CodeXml, Trash2 } from 'lucide-react';
import { caseWords } from '../../text/strings/cases.ts';
import { inspectorWords as words } from '../../text/strings/inspector.ts';
import { stateWords } from '../../text/strings/state.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Prose } from '../../ui/prose.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import type { CanvasSlot } from '../canvas/canvas-view.ts';
import { TestsPane } from '../cases/tests-pane.tsx';
import { useEditor, useProblems } from '../editor-context.tsx';
import { gestureNow } from '../gesture.ts';
import { TypeIcon } from '../palette/type-icon.tsx';
import { setPanes, usePanes } from '../panes-store.ts';
import { fieldWords, issueWords } from '../problems/issue-words.ts';
import { StatePane } from '../state/state-pane.tsx';
import type { Faults } from './form/faults.ts';
import { FormFields } from './form/form-fields.tsx';
import { formOf } from './form/form-of.ts';
import { SettingsAt } from './form/setting-path.tsx';
import { useBuffered } from './form/use-buffered.ts';
import { Guarantees } from './guarantees.tsx';
import styles from './inspector.module.css';
import { NodeLive } from './node-live.tsx';
import { NodeLogs } from './node-logs.tsx';
import { TurnIntoCode } from './turn-into-code.tsx';

export interface NodeInspectorProps {
  readonly node: Node;
  readonly slot: CanvasSlot;
}

export function NodeInspector({ node, slot }: NodeInspectorProps) {
  const { types, actions, canEdit } = useEditor();
  const spec = types.get(node.type);
  return (
    <>
      <header className={styles.head}>
        <TypeIcon type={node.type} />
        <div className={styles.title}>
          <h2>{node.name}</h2>
          <p>{spec?.title ?? node.type}</p>
        </div>
        {canEdit && (
          <IconButton
            size="small"
            icon={Trash2}
            label={words.delete}
            shortcut="delete"
            onClick={() => actions.deleteSelected()}
          />
        )}
      </header>
      {spec?.kind === 'computation' ? (
        <Parts node={node} slot={slot} />
      ) : (
        <NodeSettings node={node} slot={slot} />
      )}
    </>
  );
}

/** A computation has state beside its settings. */
function Parts({ node, slot }: NodeInspectorProps) {
  const { rightTab } = usePanes();
  return (
    <div className={styles.tabs}>
      <Tabs
        label={stateWords.inspect}
        value={rightTab}
        onChange={(next) => setPanes({ rightTab: next })}
        tabs={[
          {
            value: 'settings',
            label: stateWords.settings,
            content: <NodeSettings node={node} slot={slot} />,
          },
          { value: 'state', label: stateWords.state, content: <StatePane node={node.id} /> },
          { value: 'tests', label: caseWords.tests, content: <TestsPane node={node.id} /> },
        ]}
      />
    </div>
  );
}

function NodeSettings({ node, slot }: NodeInspectorProps) {
  const { types, actions, code: codeSide, canEdit } = useEditor();
  const spec = types.get(node.type);
  const issues = useProblems().filter((issue) => issue.node === node.id);
  const faults = faultsOf(node.id, issues);
  const others = issues.filter((issue) => settingOf(node.id, issue) === undefined);
  const fields = spec === undefined ? [] : formOf(spec.config);
  return (
    <>
      <section className={styles.part} aria-label={words.node}>
        {others.map((issue) => (
          <Notice key={`${issue.code}${issue.message}`} tone={issue.severity === 'error' ? 'error' : 'warn'}>
            {issueWords(issue)}
          </Notice>
        ))}
        <p className={styles.about}>
          <Prose text={spec?.description ?? words.unknownType(node.type)} />
        </p>
        <NameSetting node={node} />
      </section>
      {fields.length > 0 && (
        <section className={styles.part} aria-label={words.settings} data-inspector>
          <SettingsAt path={['nodes', node.id, 'config']}>
            <FormFields
              fields={fields}
              config={node.config}
              disabled={!canEdit}
              faults={faults}
              onChange={(setting, value) =>
                actions.run({ kind: 'set-setting', node: node.id, setting, value }, gestureNow())
              }
            />
          </SettingsAt>
        </section>
      )}
      <TurnIntoCode node={node} />
      {node.type === 'code' && (
        <section className={styles.part} aria-label={words.code}>
          <span>
            <Button size="small" icon={CodeXml} onClick={() => codeSide.open(node.id)}>
              {canEdit ? words.editCode : words.showCode}
            </Button>
          </span>
        </section>
      )}
      {spec?.kind === 'computation' && <Guarantees node={node} />}
      <NodeLive id={node.id} slot={slot} />
      {spec?.kind === 'computation' && <NodeLogs id={node.id} />}
    </>
  );
}

function NameSetting({ node }: { readonly node: Node }) {
  const { actions, canEdit } = useEditor();
  const buffer = useBuffered(node.name, (text) => {
    if (text.trim() !== '') actions.rename(node.id, text.trim());
  });
  return (
    <Field label={words.name}>
      {(control) => (
        <TextInput
          {...control}
          {...buffer}
          size="small"
          maxLength={200}
          disabled={!canEdit}
          autoComplete="off"
        />
      )}
    </Field>
  );
}

/** Where in the settings: `columns.hour.from` of `nodes.n_1.config.columns.hour.from`. */
function settingOf(node: string, { path }: Issue): string | undefined {
  const prefix = `nodes.${node}.config.`;
  return path?.startsWith(prefix) ? path.slice(prefix.length) : undefined;
}

function faultsOf(node: string, issues: readonly Issue[]): Faults {
  const faults = new Map<string, string>();
  for (const issue of issues) {
    const setting = settingOf(node, issue);
    if (setting !== undefined && !faults.has(setting)) faults.set(setting, fieldWords(issue));
  }
  return faults;
}
