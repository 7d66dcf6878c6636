/** What quick-add offers, best first: what fits the port one came from, was used lately, and matches the words. */
import type { DragEnd } from '@millrace/document';
import type { NodeTypeSpec } from '@millrace/graph';

export interface Wanted {
  readonly query: string;
  /** The end one came from: only what can be joined to it is offered. */
  readonly end?: DragEnd | undefined;
  /** Types used lately, latest first. */
  readonly recent: readonly string[];
}

export function rankTypes(specs: Iterable<NodeTypeSpec>, { query, end, recent }: Wanted): NodeTypeSpec[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const ranked: { spec: NodeTypeSpec; score: number; order: number }[] = [];
  let order = 0;
  for (const spec of specs) {
    order++;
    if (!fits(spec, end)) continue;
    const score = matchOf(spec, words);
    if (score === undefined) continue;
    const place = recent.indexOf(spec.type);
    ranked.push({ spec, score: score + (place < 0 ? 0 : Math.max(1, 8 - place)), order });
  }
  return ranked.sort((a, b) => b.score - a.score || a.order - b.order).map(({ spec }) => spec);
}

export function fits({ inputs, outputs }: NodeTypeSpec, end: DragEnd | undefined): boolean {
  if (end === undefined) return true;
  return (end === 'output' ? inputs : outputs).length > 0;
}

/** Undefined where a word is nowhere. */
function matchOf({ title, type, description }: NodeTypeSpec, words: readonly string[]): number | undefined {
  let score = 0;
  for (const word of words) {
    const name = title.toLowerCase();
    if (name.startsWith(word)) score += 100;
    else if (name.includes(word) || type.toLowerCase().includes(word)) score += 50;
    else if (description.toLowerCase().includes(word)) score += 10;
    else return undefined;
  }
  return score;
}
