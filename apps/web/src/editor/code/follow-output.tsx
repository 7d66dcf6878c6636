import { Spline } from 'lucide-react';
import { useStore } from 'zustand';
import { codeWords as words } from '../../text/strings/code.ts';
import { Button } from '../../ui/button.tsx';
import { useEditor } from '../editor-context.tsx';

/** An output was renamed in the code: its streams can go along. */
export function FollowOutput({ node }: { readonly node: string }) {
  const { code, actions } = useEditor();
  const renamed = useStore(code.store, (state) => state.renamed.find((each) => each.node === node));
  if (renamed === undefined) return null;
  const { from, to, streams } = renamed;
  return (
    <Button
      size="small"
      icon={Spline}
      title={words.followOutputAbout(from, to)}
      onClick={() => actions.run({ kind: 'rename-output', node, from, to })}
    >
      {words.followOutput(streams.length, to)}
    </Button>
  );
}
