import type { CanvasSlot } from '../canvas/canvas-view.ts';
import { useEditorState, useReading } from '../editor-context.tsx';
import styles from './inspector.module.css';
import { NodeInspector } from './node-inspector.tsx';
import { NoteInspector } from './note-inspector.tsx';
import { PipelineInspector } from './pipeline-inspector.tsx';
import { SeveralInspector } from './several-inspector.tsx';
import { StreamInspector } from './stream-inspector.tsx';

/** What is selected, and what can be set of it. Nothing selected: the pipeline itself. */
export function Inspector({ slot }: { readonly slot: CanvasSlot }) {
  const nodes = useEditorState((state) => state.nodes);
  const streams = useEditorState((state) => state.streams);
  const notes = useEditorState((state) => state.notes);
  const { pipeline, layout } = useReading();
  return <div className={styles.inspector}>{content()}</div>;

  function content() {
    if (nodes.size + notes.size > 1) return <SeveralInspector />;
    const [nodeId, streamId, noteId] = [[...nodes][0], [...streams][0], [...notes][0]];
    const node = nodeId === undefined ? undefined : pipeline.nodes.get(nodeId);
    if (node !== undefined) return <NodeInspector key={node.id} node={node} />;
    const stream = streamId === undefined ? undefined : pipeline.streams.get(streamId);
    if (stream !== undefined) return <StreamInspector key={stream.id} stream={stream} slot={slot} />;
    const note = noteId === undefined ? undefined : layout.notes.get(noteId);
    if (note !== undefined && noteId !== undefined)
      return <NoteInspector key={noteId} id={noteId} note={note} />;
    return <PipelineInspector />;
  }
}
