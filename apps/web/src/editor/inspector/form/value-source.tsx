import { KeyRound, Plus, SlidersHorizontal, TextCursorInput } from 'lucide-react';
import { inspectorWords as words } from '../../../text/strings/inspector.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../../../ui/menu.tsx';
import { parameterIn, secretDraft } from './controls.tsx';
import { useFormSurroundings } from './form-context.tsx';
import type { FormField } from './form-field.ts';
import { defaultOf, fitting, parameterTypeOf } from './parameter-fit.ts';

export interface ValueSourceProps {
  readonly field: FormField;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

/** Chooses where a field's value comes from: written here, a parameter, a secret. Not there where there is no choice. */
export function ValueSource({ field: { shape, name, label }, value, onChange }: ValueSourceProps) {
  const { parameters, bindNew } = useFormSurroundings();
  const type = parameterTypeOf(shape);
  if (type === undefined) return null;
  const bound = parameterIn(value);
  const isSecret = secretDraft(value) !== undefined;
  const isWritten = bound === undefined && !isSecret;
  const bindTo = (parameter: string): void => onChange({ param: parameter });
  return (
    <Menu
      trigger={
        <IconButton
          size="small"
          icon={isSecret ? KeyRound : SlidersHorizontal}
          data-quiet={isWritten}
          label={words.source(label)}
        />
      }
    >
      <MenuItem icon={TextCursorInput} disabled={isWritten} onSelect={() => onChange(undefined)}>
        {words.aValue}
      </MenuItem>
      {shape.kind === 'secret' && (
        <MenuItem icon={KeyRound} disabled={isSecret} onSelect={() => onChange({ secret: '' })}>
          {words.fromSecret}
        </MenuItem>
      )}
      <MenuSeparator />
      <MenuLabel>{words.fromParameter}</MenuLabel>
      {fitting(shape, parameters).map(([parameter, { default: value }]) => (
        <MenuItem
          key={parameter}
          icon={SlidersHorizontal}
          disabled={parameter === bound}
          onSelect={() => bindTo(parameter)}
        >
          {words.parameterWithDefault(parameter, String(value ?? words.mustBeGiven))}
        </MenuItem>
      ))}
      {isWritten && (
        <MenuItem
          icon={Plus}
          onSelect={() => bindNew({ name, type, default: defaultOf(shape, value) }, bindTo)}
        >
          {words.newParameter}
        </MenuItem>
      )}
    </Menu>
  );
}
