import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { signInWords } from '../text/strings/sign-in.ts';
import type { ControlProps } from '../ui/field.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { TextInput } from '../ui/text-input.tsx';

export interface PasswordInputProps {
  readonly control: ControlProps;
  readonly isNew: boolean;
  readonly autoFocus?: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A password that one can look at: typing it blind twice is worse. */
export function PasswordInput({ control, isNew, autoFocus = false, value, onChange }: PasswordInputProps) {
  const [isShown, setShown] = useState(false);
  return (
    <TextInput
      {...control}
      size="large"
      type={isShown ? 'text' : 'password'}
      autoComplete={isNew ? 'new-password' : 'current-password'}
      autoFocus={autoFocus}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      trailing={
        <IconButton
          icon={isShown ? EyeOff : Eye}
          label={isShown ? signInWords.hideThePassword : signInWords.showThePassword}
          size="small"
          onClick={() => setShown(!isShown)}
        />
      }
    />
  );
}
