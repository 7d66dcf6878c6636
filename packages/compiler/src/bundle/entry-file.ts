/** `/entry.js` of a bundle: its one default export is what an engine loads. */

export interface EntryParts {
  /** Node id → the file that exports its computation. */
  readonly nodes: ReadonlyMap<string, string>;
  /** Stream id → file. */
  readonly keyBy: ReadonlyMap<string, string>;
  /** Injector id → file. */
  readonly timestamps: ReadonlyMap<string, string>;
  /** Generator id → file. */
  readonly values: ReadonlyMap<string, string>;
  readonly sdkVersion: string;
}

/**
 * `require` of a bundled module runs it on first use, inside the `try`: a module that throws while it is loaded
 * is a failed node by name, and its neighbours can still be looked at.
 */
const LOAD = `const load = (name, get) => {
  try {
    const found = get().default;
    if (found !== null && typeof found === 'object' && found.kind === 'computation') return found;
    throw new TypeError(name + ' has no computation as its default export; write export default computation({ … })');
  } catch (error) {
    return { kind: 'failed', error };
  }
};
`;

export function entryFile(parts: EntryParts, names: ReadonlyMap<string, string>): string {
  const nodes = [...parts.nodes].map(([id, path]) => {
    const name = JSON.stringify(names.get(path) ?? path);
    return `    ${JSON.stringify(id)}: load(${name}, () => require(${JSON.stringify(`.${path}`)})),\n`;
  });
  const imports: string[] = [];
  const functions = (files: ReadonlyMap<string, string>): string =>
    [...files]
      .map(([id, path]) => {
        const local = `f${imports.length}`;
        imports.push(`import ${local} from ${JSON.stringify(`.${path}`)};\n`);
        return `    ${JSON.stringify(id)}: ${local},\n`;
      })
      .join('');
  const body = [
    'export default {\n',
    `  nodes: {\n${nodes.join('')}  },\n`,
    `  keyBy: {\n${functions(parts.keyBy)}  },\n`,
    `  timestamps: {\n${functions(parts.timestamps)}  },\n`,
    `  values: {\n${functions(parts.values)}  },\n`,
    `  sdkVersion: ${JSON.stringify(parts.sdkVersion)},\n`,
    '};\n',
  ];
  return imports.join('') + LOAD + body.join('');
}
