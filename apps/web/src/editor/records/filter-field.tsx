import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { recordWords as words } from '../../text/strings/records.ts';
import { TextInput } from '../../ui/text-input.tsx';
import { ExpressionEditor } from '../code/expressions/expression-editor.tsx';
import { type FilterHome, filterHome } from '../code/expressions/filter-home.ts';
import { useEditor } from '../editor-context.tsx';

export interface FilterFieldProps {
  readonly streams: readonly string[];
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onApply: () => void;
}

/** What is true of the records to show: with the help that code has as soon as Monaco is there, plain until then. */
export function FilterField({ streams, text, onText, onApply }: FilterFieldProps) {
  const { code } = useEditor();
  const loaded = useStore(code.store, (state) => state.ready?.loaded);
  const home = useFilterHome(streams);
  // Who types already goes on where they are.
  const [isTyping, setTyping] = useState(false);
  useEffect(() => home?.take(text), [home, text]);
  if (loaded === undefined || home === undefined || isTyping)
    return (
      <TextInput
        size="small"
        isCode
        aria-label={words.filter}
        title={words.filter}
        placeholder={words.filterExample}
        value={text}
        maxLength={4_000}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onText(event.target.value)}
        onFocus={() => setTyping(true)}
        onBlur={() => {
          setTyping(false);
          onApply();
        }}
        onKeyDown={(event) => event.key === 'Enter' && onApply()}
      />
    );
  return (
    <ExpressionEditor
      loaded={loaded}
      home={home}
      given={text}
      write={(written) => {
        home.take(written);
        onText(written);
      }}
      control={{}}
      label={words.filter}
      placeholder={words.filterExample}
      onEnter={onApply}
      onLeave={onApply}
    />
  );
}

function useFilterHome(streams: readonly string[]): FilterHome | undefined {
  const { code } = useEditor();
  const ready = useStore(code.store, (state) => state.ready);
  const [home, setHome] = useState<FilterHome>();
  const asked = streams.join(' ');
  useEffect(() => {
    if (ready === undefined) return;
    const opened = filterHome({ ...ready, streams: asked.split(' ') });
    setHome(opened);
    return () => {
      setHome(undefined);
      opened.close();
    };
  }, [ready, asked]);
  return home;
}
