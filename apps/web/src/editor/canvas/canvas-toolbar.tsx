import { useStore } from '@xyflow/react';
import {
  AlignCenterHorizontal,
  AlignCenterVertical,
  AlignEndHorizontal,
  AlignEndVertical,
  AlignHorizontalDistributeCenter,
  AlignStartHorizontal,
  AlignStartVertical,
  AlignVerticalDistributeCenter,
  Copy,
  Map as MapIcon,
  Maximize,
  Minus,
  Plus,
  Redo2,
  StickyNote,
  Trash2,
  Undo2,
  Workflow,
} from 'lucide-react';
import { canvasWords as words } from '../../text/strings/canvas.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { useDraftState, useEditor, useEditorState } from '../editor-context.tsx';
import styles from './canvas-toolbar.module.css';
import type { CanvasView } from './canvas-view.ts';

export interface CanvasToolbarProps {
  readonly view: CanvasView;
  readonly hasMap: boolean;
  readonly onToggleMap: () => void;
}

/** Under the canvas: zoom and history; with several nodes selected also what one does to several. */
export function CanvasToolbar({ view, hasMap, onToggleMap }: CanvasToolbarProps) {
  const { canEdit, actions } = useEditor();
  const several = useEditorState(({ nodes, notes }) => nodes.size + notes.size > 1);
  return (
    <div className={styles.place}>
      {several && canEdit && <SelectionBar />}
      <div className={styles.bar} role="toolbar" aria-label={words.view}>
        <IconButton
          size="small"
          icon={Minus}
          label={words.zoomOut}
          shortcut="-"
          onClick={() => view.zoomBy(0.8)}
        />
        <ZoomText />
        <IconButton
          size="small"
          icon={Plus}
          label={words.zoomIn}
          shortcut="+"
          onClick={() => view.zoomBy(1.25)}
        />
        <IconButton
          size="small"
          icon={Maximize}
          label={words.showAll}
          shortcut="1"
          onClick={() => view.fit()}
        />
        <IconButton
          size="small"
          icon={MapIcon}
          label={hasMap ? words.hideMap : words.showMap}
          pressed={hasMap}
          onClick={onToggleMap}
        />
        {canEdit && (
          <>
            <span className={styles.rule} />
            <HistoryButtons />
            <span className={styles.rule} />
            <IconButton
              size="small"
              icon={StickyNote}
              label={words.addNote}
              shortcut="n"
              onClick={() => actions.addNote(view.middle())}
            />
            <IconButton
              size="small"
              icon={Workflow}
              label={words.layOut}
              shortcut="shift+l"
              onClick={actions.layOut}
            />
          </>
        )}
      </div>
    </div>
  );
}

function ZoomText() {
  const percent = useStore(({ transform }) => Math.round(transform[2] * 100));
  return <span className={styles.zoom}>{words.zoom(percent)}</span>;
}

function HistoryButtons() {
  const { actions } = useEditor();
  const { undo, redo } = useDraftState();
  return (
    <>
      <IconButton
        size="small"
        icon={Undo2}
        label={undo === undefined ? words.nothingToUndo : words.undoStep(spaced(undo))}
        shortcut="mod+z"
        disabled={undo === undefined}
        onClick={actions.undo}
      />
      <IconButton
        size="small"
        icon={Redo2}
        label={redo === undefined ? words.nothingToRedo : words.redoStep(spaced(redo))}
        shortcut="mod+shift+z"
        disabled={redo === undefined}
        onClick={actions.redo}
      />
    </>
  );
}

const spaced = (label: string): string => label.replaceAll('-', ' ');

function SelectionBar() {
  const { actions } = useEditor();
  const count = useEditorState(({ nodes, notes }) => nodes.size + notes.size);
  return (
    <div className={styles.bar} role="toolbar" aria-label={words.selection}>
      <span className={styles.count}>{words.selected(count)}</span>
      <span className={styles.rule} />
      <IconButton
        size="small"
        icon={AlignStartVertical}
        label={words.alignLeft}
        onClick={() => actions.align('left')}
      />
      <IconButton
        size="small"
        icon={AlignCenterVertical}
        label={words.alignCentres}
        onClick={() => actions.align('center')}
      />
      <IconButton
        size="small"
        icon={AlignEndVertical}
        label={words.alignRight}
        onClick={() => actions.align('right')}
      />
      <IconButton
        size="small"
        icon={AlignStartHorizontal}
        label={words.alignTop}
        onClick={() => actions.align('top')}
      />
      <IconButton
        size="small"
        icon={AlignCenterHorizontal}
        label={words.alignMiddles}
        onClick={() => actions.align('middle')}
      />
      <IconButton
        size="small"
        icon={AlignEndHorizontal}
        label={words.alignBottom}
        onClick={() => actions.align('bottom')}
      />
      <IconButton
        size="small"
        icon={AlignHorizontalDistributeCenter}
        label={words.spaceAcross}
        onClick={() => actions.distribute('horizontal')}
      />
      <IconButton
        size="small"
        icon={AlignVerticalDistributeCenter}
        label={words.spaceDown}
        onClick={() => actions.distribute('vertical')}
      />
      <span className={styles.rule} />
      <IconButton
        size="small"
        icon={Copy}
        label={words.duplicate}
        shortcut="mod+d"
        onClick={actions.duplicate}
      />
      <IconButton
        size="small"
        icon={Trash2}
        label={words.deleteAndJoin}
        shortcut="delete"
        onClick={() => actions.deleteSelected()}
      />
    </div>
  );
}
