import type { Group } from '@millrace/document';
import { FoldHorizontal, UnfoldHorizontal, Ungroup } from 'lucide-react';
import { inspectorWords as words } from '../../text/strings/inspector.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { useEditor } from '../editor-context.tsx';
import { useBuffered } from './form/use-buffered.ts';
import styles from './inspector.module.css';
import { SelectionButtons } from './selection-buttons.tsx';

export interface GroupInspectorProps {
  readonly id: string;
  readonly group: Group;
  /** How many nodes are in it. */
  readonly size: number;
}

/** A group as a whole: all of its nodes are selected. */
export function GroupInspector({ id, group, size }: GroupInspectorProps) {
  const { actions, canEdit } = useEditor();
  const name = useBuffered(
    group.name,
    (text) => actions.run({ kind: 'edit-group', group: id, name: text }),
    'at-end',
  );
  return (
    <>
      <header className={styles.head}>
        <div className={styles.title}>
          <h2>{group.name}</h2>
          <p>{words.groupOf(size)}</p>
        </div>
      </header>
      <section className={styles.part} aria-label={words.group} data-inspector>
        <Field label={words.name}>
          {(control) => <TextInput {...control} {...name} maxLength={200} disabled={!canEdit} />}
        </Field>
        {canEdit && (
          <div className={styles.row}>
            <Button
              size="small"
              icon={group.collapsed ? UnfoldHorizontal : FoldHorizontal}
              onClick={() => actions.toggleGroup(id)}
            >
              {group.collapsed ? words.unfold : words.fold}
            </Button>
            <Button size="small" icon={Ungroup} onClick={() => actions.ungroup(id)}>
              {words.ungroup}
            </Button>
            <SelectionButtons />
          </div>
        )}
      </section>
    </>
  );
}
