import { TextCursorInput } from 'lucide-react';
import { codeWords as words } from '../../text/strings/code.ts';
import { Button } from '../../ui/button.tsx';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../../ui/menu.tsx';
import { COMPUTATIONS, PIECES, type Snippet } from './snippets.ts';

export interface SnippetMenuProps {
  /** Undefined where no computation can stand. */
  readonly onComputation: ((snippet: Snippet) => void) | undefined;
  readonly onPiece: (snippet: Snippet) => void;
}

export const SnippetMenu = ({ onComputation, onPiece }: SnippetMenuProps) => (
  <Menu
    trigger={
      <Button size="small" look="quiet" icon={TextCursorInput}>
        {words.snippets}
      </Button>
    }
  >
    {onComputation !== undefined && (
      <>
        <MenuLabel>{words.wholeComputations}</MenuLabel>
        {COMPUTATIONS.map((snippet) => (
          <MenuItem key={snippet.id} onSelect={() => onComputation(snippet)}>
            {snippet.title}
          </MenuItem>
        ))}
        <MenuSeparator />
      </>
    )}
    <MenuLabel>{words.pieces}</MenuLabel>
    {PIECES.map((snippet) => (
      <MenuItem key={snippet.id} onSelect={() => onPiece(snippet)}>
        {snippet.title}
      </MenuItem>
    ))}
  </Menu>
);
