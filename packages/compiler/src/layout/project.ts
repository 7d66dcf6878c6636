/**
 * The TypeScript project of a pipeline: a purely virtual tree, the same in browser and server. Node `n_x` is
 * `/n_x/node.ts` with `/n_x/streams.d.ts`; every expression of pipeline.json is a generated file of its own.
 * Each file knows where its text comes from, so that every diagnostic leads back to what a person wrote.
 */
import type { JsonPath } from '@millrace/graph';

/** A stretch of a generated file that is a text of pipeline.json, unit for unit. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly path: JsonPath;
}

export type Origin =
  /** The very text of a file of the folder. */
  | { readonly kind: 'file'; readonly file: string; readonly node?: string }
  | {
      readonly kind: 'generated';
      /** Whose settings it comes from; where a diagnostic outside every span is shown. */
      readonly path: JsonPath;
      readonly node?: string;
      readonly stream?: string;
      readonly role: 'keyBy' | 'timestamp' | 'value' | 'type' | 'operator' | 'declarations';
      readonly spans: readonly Span[];
    };

export interface ProjectFile {
  readonly text: string;
  readonly origin: Origin;
}

export type ProjectFiles = ReadonlyMap<string, ProjectFile>;

/** Builds a generated text while noting which stretches are whose. */
export function spanned(): {
  add(text: string): void;
  addFrom(text: string, path: JsonPath): void;
  text(): string;
  spans: Span[];
} {
  let text = '';
  const spans: Span[] = [];
  return {
    spans,
    add: (part) => {
      text += part;
    },
    addFrom: (part, path) => {
      spans.push({ start: text.length, end: text.length + part.length, path });
      text += part;
    },
    text: () => text,
  };
}
