import type { Node } from '@millrace/graph';
import { inspectorWords as words } from '../../text/strings/inspector.ts';
import { useEditor } from '../editor-context.tsx';
import styles from './inspector.module.css';

/** The switches of a computation (G5). */
export function Guarantees({ node }: { readonly node: Node }) {
  const { actions, canEdit } = useEditor();
  const set = (name: 'exactlyOnce' | 'strong' | 'idempotent', on: boolean): void => {
    actions.run({ kind: 'set-switch', node: node.id, switch: name, on });
  };
  return (
    <section className={styles.part} aria-label={words.guarantees}>
      <h3>{words.guarantees}</h3>
      <Switch
        label={words.exactlyOnce}
        about={words.exactlyOnceAbout}
        isOn={node.exactlyOnce}
        disabled={!canEdit}
        onChange={(on) => set('exactlyOnce', on)}
      />
      <Switch
        label={words.strong}
        about={words.strongAbout}
        isOn={node.productions === 'strong'}
        disabled={!canEdit}
        onChange={(on) => set('strong', on)}
      />
      <Switch
        label={words.idempotent}
        about={words.idempotentAbout}
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
