import { PanelBottom, PanelLeft, PanelRight } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { useNavigate } from 'react-router';
import { useStore } from 'zustand';
import { call } from '../api/call.ts';
import { useAction } from '../api/use-action.ts';
import { BarSlot } from '../shell/bar-slot.tsx';
import { useMay, useMe } from '../shell/session-store.ts';
import { editorWords as words } from '../text/strings/editor.ts';
import { outlineWords } from '../text/strings/outline.ts';
import { paletteWords } from '../text/strings/palette.ts';
import { Button } from '../ui/button.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { useTitle } from '../ui/use-title.ts';
import { Canvas } from './canvas/canvas.tsx';
import type { CanvasSlot } from './canvas/canvas-view.ts';
import { RunControls } from './deploy/run-controls.tsx';
import { DraftEnded } from './draft-ended.tsx';
import { Drawer } from './drawer/drawer.tsx';
import { useEditor, useReading } from './editor-context.tsx';
import styles from './editor-frame.module.css';
import { ImportHere } from './importing/import-here.tsx';
import { Inspector } from './inspector/inspector.tsx';
import { LeftOverEdits } from './left-over-edits.tsx';
import { useLiveView } from './live/use-live-view.ts';
import { WatermarkStrip } from './live/watermark-strip.tsx';
import { Outline } from './outline/outline.tsx';
import { Palette } from './palette/palette.tsx';
import { Pane } from './pane.tsx';
import { setPanes, usePanes } from './panes-store.ts';
import { People } from './people.tsx';
import { ProblemCount } from './problems/problem-count.tsx';
import { SaveWords } from './save-words.tsx';
import { useEditorCommands } from './use-editor-commands.ts';
import { ShownSwitch } from './versions/shown-switch.tsx';
import { VersionBanner } from './versions/version-banner.tsx';

/** The editor's panes: palette and outline, canvas, inspector, and below the problems; or `children` instead. */
export function EditorFrame({ children }: { readonly children?: ReactNode }) {
  const slot = useRef<CanvasSlot>({ current: undefined }).current;
  const panes = usePanes();
  const { canEdit } = useEditor();
  useTitle(useReading().pipeline.name);
  useLiveView();
  useEditorCommands(slot);
  if (children)
    return (
      <main className={styles.frame}>
        <Bar hasPanes={false} />
        {children}
      </main>
    );
  return (
    <main className={styles.frame}>
      <Bar hasPanes />
      <DraftEnded />
      <LeftOverEdits />
      <ImportHere />
      <div className={styles.middle}>
        {panes.left && (
          <Pane
            side="left"
            label={words.paneOf.palette}
            size={panes.leftWidth}
            least={176}
            most={360}
            onResize={(leftWidth) => setPanes({ leftWidth })}
          >
            <Tabs
              label={words.leftPane}
              value={canEdit ? panes.leftTab : 'outline'}
              onChange={(leftTab) => setPanes({ leftTab })}
              tabs={[
                ...(canEdit
                  ? [
                      {
                        value: 'palette' as const,
                        label: paletteWords.palette,
                        content: <Palette slot={slot} />,
                      },
                    ]
                  : []),
                { value: 'outline', label: outlineWords.outline, content: <Outline slot={slot} /> },
              ]}
            />
          </Pane>
        )}
        <div className={styles.centre}>
          <div className={styles.canvas}>
            <VersionBanner />
            <Canvas slot={slot} hasMap={panes.map} onToggleMap={() => setPanes({ map: !panes.map })} />
          </div>
          <WatermarkStrip onReveal={(node) => slot.current?.reveal([node])} />
          <Drawer slot={slot} />
        </div>
        {panes.right && (
          <Pane
            side="right"
            label={words.paneOf.inspector}
            size={panes.rightWidth}
            least={256}
            most={560}
            onResize={(rightWidth) => setPanes({ rightWidth })}
          >
            <aside className={styles.inspector} aria-label={words.inspector}>
              <Inspector slot={slot} />
            </aside>
          </Pane>
        )}
      </div>
    </main>
  );
}

function Bar({ hasPanes }: { readonly hasPanes: boolean }) {
  const { canEdit, showing } = useEditor();
  const { pipeline } = useReading();
  return (
    <>
      <BarSlot place="middle">
        <ShownSwitch />
      </BarSlot>
      <BarSlot place="title">
        <div className={styles.title}>
          <h1>{pipeline.name}</h1>
          <SaveWords />
          {!canEdit && showing.kind === 'draft' && <Duplicate />}
        </div>
      </BarSlot>
      <BarSlot place="end">
        <div className={styles.tools}>
          <People />
          <RunControls />
          {hasPanes && <PaneButtons />}
        </div>
      </BarSlot>
    </>
  );
}

function PaneButtons() {
  const { left, right, bottom } = usePanes();
  const { code } = useEditor();
  const tab = useStore(code.store, (state) => state.tab);
  const toggleProblems = (): void => {
    setPanes({ bottom: !(bottom && tab === 'problems'), drawerTab: 'problems' });
    code.store.setState({ tab: 'problems' });
  };
  return (
    <>
      <ProblemCount onOpen={toggleProblems} isOpen={bottom && tab === 'problems'} />
      <IconButton
        icon={PanelLeft}
        label={words.leftPane}
        pressed={left}
        onClick={() => setPanes({ left: !left })}
      />
      <IconButton
        icon={PanelBottom}
        label={words.drawer}
        pressed={bottom}
        onClick={() => setPanes({ bottom: !bottom })}
      />
      <IconButton
        icon={PanelRight}
        label={words.inspector}
        pressed={right}
        onClick={() => setPanes({ right: !right })}
      />
    </>
  );
}

/** What one may not change one may have for oneself. */
function Duplicate() {
  const { pipeline } = useEditor();
  const navigate = useNavigate();
  const { workspace } = useMe();
  const may = useMay('graph.write');
  const { run, busy } = useAction(async () => {
    const made = await call('pipelines.duplicate', { params: { pipeline }, body: {} });
    await navigate(`/w/${workspace.id}/p/${made.id}`);
  });
  if (!may) return null;
  return (
    <Button size="small" busy={busy} onClick={() => void run()}>
      {words.duplicateToEdit}
    </Button>
  );
}
