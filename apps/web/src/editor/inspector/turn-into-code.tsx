import type { Node } from '@millrace/graph';
import { Braces } from 'lucide-react';
import { useStore } from 'zustand';
import { inspectorWords as words } from '../../text/strings/inspector.ts';
import { Button } from '../../ui/button.tsx';
import { useEditor, useReading } from '../editor-context.tsx';
import styles from './inspector.module.css';
import { turnedIntoCode } from './operator-code.ts';

/** Only where there is an operator whose form is complete. */
export function TurnIntoCode({ node }: { readonly node: Node }) {
  const { actions, code, canEdit } = useEditor();
  const { pipeline } = useReading();
  const types = useStore(code.store, (state) => state.types);
  const inputs = [...pipeline.streams.values()].filter(({ to }) => to[0] === node.id);
  const isUntyped = inputs.length === 0 || inputs.some(({ id }) => types.get(id) === 'unknown');
  const turned = turnedIntoCode(node, pipeline, isUntyped);
  if (turned === undefined || !canEdit) return null;
  return (
    <section className={styles.part} aria-label={words.turnIntoCode}>
      <span>
        <Button
          size="small"
          icon={Braces}
          onClick={() => actions.run({ kind: 'turn-into-code', node: node.id, text: turned.text })}
        >
          {words.turnIntoCode}
        </Button>
      </span>
      <p className={styles.about}>
        {words.turnIntoCodeAbout} {turned.fixed.length > 0 && words.valuesAreFixed(turned.fixed)}
      </p>
    </section>
  );
}
