import { AlignStartVertical, Palette } from 'lucide-react';
import { Fragment, useRef, useState } from 'react';
import { canvasWords as words } from '../../text/strings/canvas.ts';
import { MenuAt, MenuChoice, MenuItem, MenuSeparator, MenuSub } from '../../ui/menu.tsx';
import { useEditor, useEditorState, useReading } from '../editor-context.tsx';
import type { CanvasMenu as Opened } from '../editor-store.ts';
import { type ActionWorld, actionsOf, type TableAction } from './canvas-actions.ts';
import { useKeysOf } from './canvas-keymap.ts';
import type { CanvasView } from './canvas-view.ts';

const PARTS = ['main', 'clipboard', 'order', 'align', 'view', 'delete'] as const;

/** What can be done here: on the canvas, a node, a note, a stream, a group or a selection. */
export function CanvasMenu({ view }: { readonly view: CanvasView }) {
  const menu = useEditorState((state) => state.menu);
  return menu === undefined ? null : <OpenMenu key={menu.place.join()} menu={menu} view={view} />;
}

function OpenMenu({ menu, view }: { readonly menu: Opened; readonly view: CanvasView }) {
  const editor = useEditor();
  // Run when the menu is gone: what opens a field of its own would lose the focus to the menu again.
  const chosen = useRef<() => void>(undefined);
  const [before] = useState(() => document.activeElement);
  const world: ActionWorld = { editor, view, menu };
  const actions = Map.groupBy(actionsOf(world), ({ part }) => part);
  const item = (action: TableAction) => (
    <Item
      key={action.id}
      action={action}
      onSelect={() => {
        chosen.current = () => action.run(world);
      }}
    />
  );
  const parts = PARTS.filter((part) => actions.has(part));
  return (
    <MenuAt
      place={menu.place}
      label={words.menu}
      onClose={() => editor.store.setState({ menu: undefined })}
      onClosed={() => {
        // Who came from the Outline goes on there.
        if (before instanceof HTMLElement && before.matches('[role=treeitem]')) before.focus();
        else view.focus();
        chosen.current?.();
      }}
    >
      {parts.map((part, i) => (
        <Fragment key={part}>
          {i > 0 && <MenuSeparator />}
          {part === 'align' ? (
            <MenuSub icon={AlignStartVertical} label={words.align}>
              {actions.get(part)?.map(item)}
            </MenuSub>
          ) : (
            actions.get(part)?.map(item)
          )}
          {part === 'main' && menu.of === 'group' && editor.canEdit && <Colours group={menu.id ?? ''} />}
        </Fragment>
      ))}
    </MenuAt>
  );
}

interface ItemProps {
  readonly action: TableAction;
  readonly onSelect: () => void;
}

function Item({ action, onSelect }: ItemProps) {
  const { icon, key, isDanger, title } = action;
  const shortcut = useKeysOf(key);
  return (
    <MenuItem
      {...(icon && { icon })}
      {...(shortcut && { shortcut })}
      {...(isDanger && { isDanger })}
      onSelect={onSelect}
    >
      {title}
    </MenuItem>
  );
}

const COLOURS = ['slate', 'teal', 'blue', 'violet', 'amber'] as const;

function Colours({ group }: { readonly group: string }) {
  const { actions } = useEditor();
  const { layout } = useReading();
  const now = COLOURS.find((one) => one === layout.groups.get(group)?.color) ?? 'slate';
  return (
    <MenuSub icon={Palette} label={words.colour}>
      <MenuChoice
        value={now}
        options={COLOURS.map((value) => ({ value, label: words.colours[value] }))}
        onChange={(color) => actions.recolourGroup(group, color)}
      />
    </MenuSub>
  );
}
