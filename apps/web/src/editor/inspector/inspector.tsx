import type { Group, Layout } from '@millrace/document';
import { WriteSecret } from '../../settings/write-secret.tsx';
import type { CanvasSlot } from '../canvas/canvas-view.ts';
import { useEditorState, useReading } from '../editor-context.tsx';
import { FormContext } from './form/form-context.tsx';
import { GroupInspector } from './group-inspector.tsx';
import styles from './inspector.module.css';
import { NodeInspector } from './node-inspector.tsx';
import { NoteInspector } from './note-inspector.tsx';
import { PipelineInspector } from './pipeline-inspector.tsx';
import { SeveralInspector } from './several-inspector.tsx';
import { StreamInspector } from './stream-inspector.tsx';
import { useFormSurroundings } from './use-form-surroundings.ts';

/** What is selected, and what can be set of it. Nothing selected: the pipeline itself. */
export function Inspector({ slot }: { readonly slot: CanvasSlot }) {
  const nodes = useEditorState((state) => state.nodes);
  const streams = useEditorState((state) => state.streams);
  const notes = useEditorState((state) => state.notes);
  const { pipeline, layout } = useReading();
  const { surroundings, waiting, written } = useFormSurroundings();
  return (
    <FormContext value={surroundings}>
      <div className={styles.inspector}>{content()}</div>
      {waiting !== undefined && <WriteSecret name={undefined} onDone={written} onClose={() => written()} />}
    </FormContext>
  );

  function content() {
    const group = notes.size === 0 ? groupOf(layout, nodes) : undefined;
    if (group !== undefined) return <GroupInspector key={group.id} {...group} size={nodes.size} />;
    if (nodes.size + notes.size > 1) return <SeveralInspector />;
    const [nodeId, streamId, noteId] = [[...nodes][0], [...streams][0], [...notes][0]];
    const node = nodeId === undefined ? undefined : pipeline.nodes.get(nodeId);
    if (node !== undefined) return <NodeInspector key={node.id} node={node} slot={slot} />;
    const stream = streamId === undefined ? undefined : pipeline.streams.get(streamId);
    if (stream !== undefined) return <StreamInspector key={stream.id} stream={stream} slot={slot} />;
    const note = noteId === undefined ? undefined : layout.notes.get(noteId);
    if (note !== undefined && noteId !== undefined)
      return <NoteInspector key={noteId} id={noteId} note={note} />;
    return <PipelineInspector />;
  }
}

/** The group whose nodes are all that is selected; a group of one node is its node. */
function groupOf(
  { nodes: places, groups }: Layout,
  selected: ReadonlySet<string>,
): { readonly id: string; readonly group: Group } | undefined {
  const [first] = selected;
  const id = places.get(first ?? '')?.group;
  const group = groups.get(id ?? '');
  if (id === undefined || group === undefined || (selected.size === 1 && !group.collapsed)) return undefined;
  const members = [...places].filter(([, place]) => place.group === id).map(([node]) => node);
  const isAll = members.length === selected.size && members.every((node) => selected.has(node));
  return isAll ? { id, group } : undefined;
}
