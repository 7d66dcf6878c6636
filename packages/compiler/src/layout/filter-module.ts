/** A filter of records as a module of the pipeline's project, so that TypeScript knows what it reads. Pure. */

export interface FilterModule {
  readonly text: string;
  /** Where the expression begins in it. */
  readonly start: number;
  /** Records of several types go through it: only what all of them lack is a fault. */
  readonly isMixed: boolean;
}

/** `types`: of the streams it filters, as a file in a folder of the project calls them. */
export function filterModule(types: readonly string[], expression: string): FilterModule {
  const all = [...new Set(types)];
  // Of several, each one's fields are offered.
  const isKnown = all.length > 0 && !all.includes('unknown');
  const value = isKnown ? all.map((type) => `(${type})`).join(' & ') : 'unknown';
  const head = [
    "import type { Read, ReadRecord } from '../prelude';\n",
    `type Value = ${value};\n`,
    'export default (value: Read<Value>, record: ReadRecord<Value> & { readonly stream: string }): boolean => (\n',
  ].join('');
  return { text: `${head}${expression}\n);\n`, start: head.length, isMixed: all.length > 1 };
}
