/**
 * What the graph knows of a type of node. A connector exports one `NodeTypeSpec` each; `code` and the operators
 * are built in. Browser-safe: a spec holds a schema and texts, never an implementation.
 */
import type { z } from 'zod';
import type { NodeKind } from './plan/run-plan.ts';

export type Settings = Readonly<Record<string, unknown>>;

export interface NodeTypeSpec {
  /** `injector/file`, `operator/map`, `sink/postgres`, … */
  readonly type: string;
  readonly kind: NodeKind;
  readonly title: string;
  readonly description: string;
  /** Checks `config` after parameters have been put in. Unknown settings should be refused (`z.strictObject`). */
  readonly config: z.ZodType;
  /** Names of the inputs; `'any'` where the wires decide (code nodes). Injectors have none. */
  readonly inputs: readonly string[] | 'any';
  readonly outputs: readonly string[] | 'any';
  /**
   * Top-level fields of `config` that are TypeScript expressions. On an injector the field `value` is an
   * expression over `n`, `time` and `random()` (a generator); every other field is one over `value` and `record`.
   */
  readonly expressions?: readonly string[];
  /**
   * TypeScript type text of the values an injector emits; undefined where the settings do not tell. Without
   * this function the settings `type`, `format` and `columns` decide.
   */
  readonly valueType?: (config: Settings) => string | undefined;
  /** Of an injector: whether it never ends by itself; without this function it does. */
  readonly isEndless?: (config: Settings) => boolean;
  /** Of an injector: its records are rows of a table, which say as their pane for which time they stand. */
  readonly isTable?: true;
}

/** All types a pipeline may use, by type. A Map, because a type in a hostile file may be `__proto__`. */
export type NodeTypes = ReadonlyMap<string, NodeTypeSpec>;
