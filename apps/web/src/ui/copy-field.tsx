import { Check, Copy } from 'lucide-react';
import { useRef, useState } from 'react';
import { uiWords } from '../text/strings/ui.ts';
import { IconButton } from './icon-button.tsx';
import { TextInput } from './text-input.tsx';

const SAID_MS = 1_500;

/** A value to take away: it is shown once. Works on plain http, where there is no clipboard to write to. */
export function CopyField({ label, value }: { readonly label: string; readonly value: string }) {
  const frame = useRef<HTMLDivElement>(null);
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    const input = frame.current?.querySelector('input');
    input?.select();
    if (navigator.clipboard) await navigator.clipboard.writeText(value);
    else document.execCommand('copy');
    setCopied(true);
    setTimeout(() => setCopied(false), SAID_MS);
  };
  return (
    <div ref={frame}>
      <TextInput
        isCode
        readOnly
        aria-label={label}
        value={value}
        onFocus={(event) => event.target.select()}
        trailing={
          <IconButton
            icon={isCopied ? Check : Copy}
            label={isCopied ? uiWords.copied : uiWords.copy}
            size="small"
            onClick={() => void copy()}
          />
        }
      />
    </div>
  );
}
