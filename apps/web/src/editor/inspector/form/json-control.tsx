import type { ControlOf } from './controls.tsx';
import { PlainControl } from './expression-control.tsx';

/** What no other control fits; text that is no JSON is kept as text, and the problem says so. */
export function JsonControl({ value, onChange, label, control, disabled }: ControlOf) {
  const write = (text: unknown): void => {
    try {
      onChange(text === undefined ? undefined : JSON.parse(String(text)));
    } catch {
      onChange(text);
    }
  };
  const text = value === undefined ? undefined : JSON.stringify(value);
  return (
    <PlainControl
      shape={{ kind: 'json' }}
      value={text}
      control={control ?? {}}
      label={label ?? ''}
      disabled={disabled ?? false}
      onChange={write}
    />
  );
}
