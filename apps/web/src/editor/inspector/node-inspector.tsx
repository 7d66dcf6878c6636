import type { Issue, Node } from '@millrace/graph';
import { Braces, CodeXml, Trash2 } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { useEditor, useProblems } from '../editor-context.tsx';
import { TypeIcon } from '../palette/type-icon.tsx';
import { fieldWords, issueWords } from '../problems/issue-words.ts';
import { FormFields } from './form/form-fields.tsx';
import { formOf } from './form/form-of.ts';
import { useBuffered } from './form/use-buffered.ts';
import styles from './inspector.module.css';
import { NodeLive } from './node-live.tsx';
import { operatorCode } from './operator-code.ts';

export function NodeInspector({ node }: { readonly node: Node }) {
  const { types, actions, code: codeSide, canEdit } = useEditor();
  const spec = types.get(node.type);
  const issues = useProblems().filter((issue) => issue.node === node.id);
  const faults = faultsByField(node.id, issues);
  const others = issues.filter((issue) => fieldOf(node.id, issue) === undefined);
  const fields = spec === undefined ? [] : formOf(spec.config);
  const code = operatorCode(node);
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
            label="Delete"
            shortcut="delete"
            onClick={() => actions.deleteSelected()}
          />
        )}
      </header>
      <section className={styles.part} aria-label="Node">
        {others.map((issue) => (
          <Notice key={`${issue.code}${issue.message}`} tone={issue.severity === 'error' ? 'error' : 'warn'}>
            {issueWords(issue)}
          </Notice>
        ))}
        <p className={styles.about}>
          {spec?.description ?? `There is no node of the type ${node.type} in this Millrace.`}
        </p>
        <NameSetting node={node} />
      </section>
      {fields.length > 0 && (
        <section className={styles.part} aria-label="Settings" data-inspector>
          <FormFields
            fields={fields}
            config={node.config}
            disabled={!canEdit}
            faults={faults}
            onChange={(setting, value) => actions.run({ kind: 'set-setting', node: node.id, setting, value })}
          />
        </section>
      )}
      {code !== undefined && canEdit && (
        <section className={styles.part}>
          <span>
            <Button
              size="small"
              icon={Braces}
              onClick={() => actions.run({ kind: 'turn-into-code', node: node.id, text: code })}
            >
              Turn into code
            </Button>
          </span>
          <p className={styles.about}>Becomes a computation that does the same, to be changed as you like.</p>
        </section>
      )}
      {node.type === 'code' && (
        <section className={styles.part} aria-label="Code">
          <span>
            <Button size="small" icon={CodeXml} onClick={() => codeSide.open(node.id)}>
              {canEdit ? 'Edit code' : 'Show code'}
            </Button>
          </span>
        </section>
      )}
      {spec?.kind === 'computation' && <Switches node={node} />}
      <NodeLive id={node.id} />
    </>
  );
}

function NameSetting({ node }: { readonly node: Node }) {
  const { actions, canEdit } = useEditor();
  const buffer = useBuffered(node.name, (text) => {
    if (text.trim() !== '') actions.rename(node.id, text.trim());
  });
  return (
    <Field label="Name">
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

function Switches({ node }: { readonly node: Node }) {
  const { actions, canEdit } = useEditor();
  const set = (name: 'exactlyOnce' | 'strong' | 'idempotent', on: boolean): void => {
    actions.run({ kind: 'set-switch', node: node.id, switch: name, on });
  };
  return (
    <section className={styles.part} aria-label="Guarantees">
      <h3>Guarantees</h3>
      <Switch
        label="Exactly once"
        about="A record that comes twice is noticed and counted once."
        isOn={node.exactlyOnce}
        disabled={!canEdit}
        onChange={(on) => set('exactlyOnce', on)}
      />
      <Switch
        label="Strong productions"
        about="Results are stored before they are sent. Off is faster and needs deterministic code."
        isOn={node.productions === 'strong'}
        disabled={!canEdit}
        onChange={(on) => set('strong', on)}
      />
      <Switch
        label="Idempotent"
        about="Your word that running a record twice does no harm."
        isOn={node.idempotent}
        disabled={!canEdit}
        onChange={(on) => set('idempotent', on)}
      />
    </section>
  );
}

interface SwitchProps {
  readonly label: string;
  readonly about: string;
  readonly isOn: boolean;
  readonly disabled: boolean;
  readonly onChange: (on: boolean) => void;
}

const Switch = ({ label, about, isOn, disabled, onChange }: SwitchProps) => (
  <label className={styles.switch}>
    <input
      type="checkbox"
      role="switch"
      aria-checked={isOn}
      checked={isOn}
      disabled={disabled}
      onChange={({ target }) => onChange(target.checked)}
    />
    <span>{label}</span>
    <small>{about}</small>
  </label>
);

/** `nodes.n_1.config.columns.hour.from` is about the field `columns`. */
function fieldOf(node: string, { path }: Issue): string | undefined {
  const prefix = `nodes.${node}.config.`;
  return path?.startsWith(prefix) ? path.slice(prefix.length).split('.')[0] : undefined;
}

function faultsByField(node: string, issues: readonly Issue[]): ReadonlyMap<string, string> {
  const faults = new Map<string, string>();
  for (const issue of issues) {
    const field = fieldOf(node, issue);
    if (field !== undefined && !faults.has(field)) faults.set(field, fieldWords(issue));
  }
  return faults;
}
