/**
 * Stack traces of a code bundle with the places of the TypeScript they came from. Lines of the SDK, of the
 * worker and of its runtime are left out: what remains is the pipeline's own code.
 */
import { SourceMap, type SourceMapPayload } from 'node:module';

export type MapStack = (text: string) => string;

const marker = '//# sourceMappingURL=data:application/json;base64,';
const frame = /^\s+at .*(:\d+:\d+\)?|\(<anonymous>\)|\(native\))$/;
const place = /\(?blob:[^\s()]*?:(\d+):(\d+)\)?$/;
const ours = /^(nodes|lib)\/|^pipeline\.json/;

/** For the bundle's inline source map; without one, texts stay as they are. */
export function stackMapper(bundle: string): MapStack {
  const at = bundle.lastIndexOf(marker);
  if (at < 0) return (text) => text;
  const map = new SourceMap(payloadOf(bundle.slice(at + marker.length)));
  return (text) =>
    text
      .split('\n')
      .flatMap((line) => (frame.test(line) ? mapped(line, map) : [line]))
      .join('\n');
}

/** For `line:column` places in the bundle, innermost first: the first that is of the pipeline's own code. */
export function placeMapper(bundle: string): (places: string) => string | undefined {
  const at = bundle.lastIndexOf(marker);
  if (at < 0) return () => undefined;
  const map = new SourceMap(payloadOf(bundle.slice(at + marker.length)));
  return (places) => {
    for (const place of places.split(' ')) {
      const [line, column] = place.split(':').map(Number);
      const original = originalOf(Number(line), Number(column), map);
      if (original !== undefined) return original;
    }
    return undefined;
  };
}

/**
 * The bundle without its map: Deno would map the positions itself and leave the name of the `blob:` in front of
 * them, and nobody could tell that they are mapped already.
 */
export function withoutMap(bundle: string): string {
  const at = bundle.lastIndexOf(marker);
  return at < 0 ? bundle : bundle.slice(0, at);
}

function payloadOf(base64: string): SourceMapPayload {
  return JSON.parse(Buffer.from(base64.trim(), 'base64').toString('utf8')) as SourceMapPayload;
}

function mapped(line: string, map: SourceMap): string[] {
  const found = place.exec(line);
  if (found === null) return [];
  const original = originalOf(Number(found[1]), Number(found[2]), map);
  return original === undefined ? [] : [line.replace(place, `(${original})`)];
}

function originalOf(line: number, column: number, map: SourceMap): string | undefined {
  if (!Number.isSafeInteger(line) || !Number.isSafeInteger(column)) return undefined;
  const entry = map.findEntry(line - 1, column - 1);
  if (!('originalSource' in entry) || !ours.test(entry.originalSource)) return undefined;
  return `${entry.originalSource}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
}
