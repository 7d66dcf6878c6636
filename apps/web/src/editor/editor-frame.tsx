import { PanelBottom, PanelLeft, PanelRight } from 'lucide-react';
import { useRef } from 'react';
import { useNavigate } from 'react-router';
import { call } from '../api/call.ts';
import { useAction } from '../api/use-action.ts';
import { BarSlot } from '../shell/bar-slot.tsx';
import { useMay, useMe } from '../shell/session-store.ts';
import { Button } from '../ui/button.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { Canvas } from './canvas/canvas.tsx';
import type { CanvasSlot } from './canvas/canvas-view.ts';
import { useEditor, useProblems, useReading } from './editor-context.tsx';
import styles from './editor-frame.module.css';
import { Inspector } from './inspector/inspector.tsx';
import { useLiveView } from './live/use-live-view.ts';
import { WatermarkStrip } from './live/watermark-strip.tsx';
import { Outline } from './outline/outline.tsx';
import { Palette } from './palette/palette.tsx';
import { Pane } from './pane.tsx';
import { setPanes, usePanes } from './panes-store.ts';
import { ProblemCount } from './problems/problem-count.tsx';
import { Problems } from './problems/problems.tsx';
import { SaveWords } from './save-words.tsx';

/** The editor's panes: palette and outline, canvas, inspector, and below the problems. */
export function EditorFrame() {
  const slot = useRef<CanvasSlot>({ current: undefined }).current;
  const panes = usePanes();
  const { canEdit } = useEditor();
  useLiveView();
  return (
    <div className={styles.frame}>
      <Bar />
      <div className={styles.middle}>
        {panes.left && (
          <Pane
            side="left"
            label="palette"
            size={panes.leftWidth}
            least={176}
            most={360}
            onResize={(leftWidth) => setPanes({ leftWidth })}
          >
            <Tabs
              label="Left pane"
              value={canEdit ? panes.leftTab : 'outline'}
              onChange={(leftTab) => setPanes({ leftTab })}
              tabs={[
                ...(canEdit
                  ? [{ value: 'palette' as const, label: 'Palette', content: <Palette slot={slot} /> }]
                  : []),
                { value: 'outline', label: 'Outline', content: <Outline slot={slot} /> },
              ]}
            />
          </Pane>
        )}
        <div className={styles.centre}>
          <div className={styles.canvas}>
            <Canvas slot={slot} hasMap={panes.map} onToggleMap={() => setPanes({ map: !panes.map })} />
          </div>
          <WatermarkStrip onReveal={(node) => slot.current?.reveal([node])} />
          <Drawer slot={slot} />
        </div>
        {panes.right && (
          <Pane
            side="right"
            label="inspector"
            size={panes.rightWidth}
            least={256}
            most={560}
            onResize={(rightWidth) => setPanes({ rightWidth })}
          >
            <aside className={styles.inspector} aria-label="Inspector">
              <Inspector slot={slot} />
            </aside>
          </Pane>
        )}
      </div>
    </div>
  );
}

function Drawer({ slot }: { readonly slot: CanvasSlot }) {
  const { bottom, bottomHeight } = usePanes();
  const count = useProblems().length;
  if (!bottom) return null;
  return (
    <Pane
      side="bottom"
      label="problems"
      size={bottomHeight}
      least={96}
      most={480}
      onResize={(next) => setPanes({ bottomHeight: next })}
    >
      <Tabs
        label="Drawer"
        value="problems"
        onChange={() => undefined}
        tabs={[
          {
            value: 'problems',
            label: 'Problems',
            aside: count > 0 && <span className={styles.count}>{count}</span>,
            content: <Problems slot={slot} />,
          },
        ]}
      />
    </Pane>
  );
}

function Bar() {
  const { left, right, bottom } = usePanes();
  const { canEdit } = useEditor();
  const { pipeline } = useReading();
  return (
    <>
      <BarSlot place="title">
        <div className={styles.title}>
          <h1>{pipeline.name}</h1>
          <SaveWords />
          {!canEdit && <Duplicate />}
        </div>
      </BarSlot>
      <BarSlot place="end">
        <div className={styles.tools}>
          <ProblemCount onOpen={() => setPanes({ bottom: !bottom })} isOpen={bottom} />
          <IconButton
            icon={PanelLeft}
            label="Left pane"
            pressed={left}
            onClick={() => setPanes({ left: !left })}
          />
          <IconButton
            icon={PanelBottom}
            label="Drawer"
            pressed={bottom}
            onClick={() => setPanes({ bottom: !bottom })}
          />
          <IconButton
            icon={PanelRight}
            label="Inspector"
            pressed={right}
            onClick={() => setPanes({ right: !right })}
          />
        </div>
      </BarSlot>
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
      Duplicate to edit
    </Button>
  );
}
