import { useState } from 'react';
import { TextInput } from './text-input.tsx';

interface NameFieldProps {
  readonly name: string;
  readonly label: string;
  readonly isCode?: boolean;
  /** Of what Enter took. */
  readonly onName: (name: string) => void;
  /** Behind that, too. */
  readonly onDone: () => void;
}

/** Asks for a name in its place: Enter takes it, Escape and leaving the field do not. */
export function NameField({ name, label, isCode = false, onName, onDone }: NameFieldProps) {
  const [text, setText] = useState(name);
  return (
    <TextInput
      autoFocus
      size="small"
      isCode={isCode}
      value={text}
      aria-label={label}
      maxLength={200}
      autoComplete="off"
      spellCheck={false}
      onChange={({ target }) => setText(target.value)}
      onBlur={onDone}
      onKeyDown={({ key }) => {
        if (key === 'Enter') onName(text);
        if (key === 'Enter' || key === 'Escape') onDone();
      }}
    />
  );
}
