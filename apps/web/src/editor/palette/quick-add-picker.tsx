import type { RefObject } from 'react';
import { paletteWords as words } from '../../text/strings/palette.ts';
import { spoken } from '../../ui/prose.tsx';
import { useEditor, useEditorState, useReading } from '../editor-context.tsx';
import { Picker } from './picker.tsx';
import { rankTypes } from './rank-types.ts';
import { recentTypes } from './recent-types.ts';
import { TypeIcon } from './type-icon.tsx';

/** `/` or a double-click: a node by its name, best first, joined to where one came from. */
export function QuickAddPicker({ frame }: { readonly frame: RefObject<HTMLElement | null> }) {
  const { types, store, actions } = useEditor();
  const asked = useEditorState(({ quickAdd }) => quickAdd);
  const { pipeline } = useReading();
  if (asked === undefined) return null;
  const { at, from, place, spliceInto } = asked;
  const close = (): void => {
    store.setState({ quickAdd: undefined });
    frame.current?.focus({ preventScroll: true });
  };
  // Into a stream only what takes and gives fits.
  const offered = [...types.values()].filter(
    ({ kind }) => spliceInto === undefined || kind === 'computation',
  );
  const isBehind = from?.end === 'output';
  const source = from && pipeline.nodes.get(from.port[0])?.name;
  return (
    <Picker
      title={source === undefined ? words.addANode : words.addANodeBeside(source, isBehind)}
      placeholder={source === undefined ? words.addANode : words.addBeside(source, isBehind)}
      place={place}
      items={(query) =>
        rankTypes(offered, { query, end: from?.end, recent: recentTypes() }).map((spec) => ({
          key: spec.type,
          label: spec.title,
          about: spoken(spec.description),
          icon: <TypeIcon type={spec.type} />,
        }))
      }
      nothing={words.nothingFits}
      onChoose={(type) => {
        close();
        actions.addNode({ type, at, from, spliceInto });
      }}
      onClose={close}
    />
  );
}
