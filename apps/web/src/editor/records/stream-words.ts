import { recordWords as words } from '../../text/strings/records.ts';
import { useReading } from '../editor-context.tsx';

/** "parse → count"; a stream that is gone goes by its id. */
export function useStreamWords(id: string): string {
  const { nodes, streams } = useReading().pipeline;
  const stream = streams.get(id);
  const nameOf = (node: string | undefined): string => nodes.get(node ?? '')?.name ?? id;
  return stream === undefined ? id : words.fromTo(nameOf(stream.from[0]), nameOf(stream.to[0]));
}
