import { connectionHints } from '@millrace/document';
import type { Port } from '@millrace/graph';
import type { RefObject } from 'react';
import { paletteWords as words } from '../../text/strings/palette.ts';
import { placesOf } from '../canvas/places.ts';
import { useEditor, useEditorState, useReading } from '../editor-context.tsx';
import { Picker, type PickerItem } from './picker.tsx';
import { TypeIcon } from './type-icon.tsx';

/** `c`: connects the active node by keyboard. Ports that cannot be reached stand last, with the reason. */
export function ConnectPicker({ frame }: { readonly frame: RefObject<HTMLElement | null> }) {
  const { types, store, actions } = useEditor();
  const node = useEditorState(({ connectFrom }) => connectFrom);
  const reading = useReading();
  const { pipeline, layout } = reading;
  if (node === undefined || layout.notes.has(node)) return null;
  const close = (): void => {
    store.setState({ connectFrom: undefined });
    frame.current?.focus({ preventScroll: true });
  };
  const { shapes } = placesOf(reading, types);
  const outputs = shapes.get(node)?.outputs ?? [];
  const targets = outputs.flatMap(({ name, isNew }) =>
    connectionHints(pipeline, types, [node, name], 'output').map((hint) => ({
      from: name,
      isNewOutput: isNew,
      hint,
    })),
  );
  const items: (PickerItem & { from: string; to: Port })[] = targets
    .filter(({ hint }) => hint.port[0] !== node && hint.fault?.code !== 'to-injector')
    .map(({ from, isNewOutput, hint }) => ({
      key: `${from}\n${hint.port.join('\n')}`,
      from,
      to: hint.port,
      label: `${pipeline.nodes.get(hint.port[0])?.name} · ${hint.port[1]}`,
      about: words.from(from, isNewOutput, hint.isNew),
      fault: hint.fault?.reason,
      icon: <TypeIcon type={pipeline.nodes.get(hint.port[0])?.type ?? ''} />,
    }))
    .sort((a, b) => Number(a.fault !== undefined) - Number(b.fault !== undefined));
  const name = pipeline.nodes.get(node)?.name ?? '';
  return (
    <Picker
      title={words.connectTo(name)}
      placeholder={words.connectToWhat(name)}
      place={[Number.NaN, Number.NaN]}
      items={(query) => items.filter(({ label }) => label.toLowerCase().includes(query.toLowerCase()))}
      nothing={outputs.length === 0 ? words.noOutput : words.noPort}
      onChoose={(key) => {
        const item = items.find((one) => one.key === key);
        close();
        if (item !== undefined) actions.connect([node, item.from], item.to);
      }}
      onClose={close}
    />
  );
}
