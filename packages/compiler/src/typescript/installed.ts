/** What a check needs beside the pipeline, as text: it never looks at a disk. */
export interface Installed {
  /** `lib.es5.d.ts`, … by name. */
  readonly libs: ReadonlyMap<string, string>;
  /** `/sdk/index.ts`, … by path in the virtual project. */
  readonly sdk: ReadonlyMap<string, string>;
}
