import { recordWords as words } from '../../text/strings/records.ts';
import { useReading } from '../editor-context.tsx';

/** Its own name, or "parse → count"; a stream that is gone goes by its id. */
export function useStreamWords(id: string): string {
  const { pipeline, layout } = useReading();
  const { nodes, streams } = pipeline;
  const name = layout.streams.get(id)?.name;
  if (name !== undefined) return name;
  const stream = streams.get(id);
  const nameOf = (node: string | undefined): string => nodes.get(node ?? '')?.name ?? id;
  return stream === undefined ? id : words.fromTo(nameOf(stream.from[0]), nameOf(stream.to[0]));
}
