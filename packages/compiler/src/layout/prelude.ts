/** Types the generated files share: `/prelude.d.ts` of every project. */
export const PRELUDE_PATH = '/prelude.d.ts';

export const PRELUDE = `import type { Computation, DeepReadonly, InputsOf, OutputsOf, StreamRecord } from '@millrace/sdk';

/** What a code node emits on a port; never \`any\`. */
export type PortOf<C, P extends string> = P extends keyof OutputsOf<C>
  ? unknown extends OutputsOf<C>[P] ? unknown : OutputsOf<C>[P]
  : unknown;

/** What an operator emits: its input may be untyped, so \`any\` can hide at any depth. */
export type KnownPortOf<C, P extends string> = P extends keyof OutputsOf<C> ? Known<OutputsOf<C>[P]> : unknown;

export type Known<T> = 0 extends 1 & T
  ? unknown
  : T extends string | number | bigint | boolean | symbol | null | undefined | Date | Uint8Array
    ? T
    : T extends object ? { [K in keyof T]: Known<T[K]> } : T;

/** How an expression sees a value: an untyped one may be used freely, inside the expression only. */
export type Loose<T> = unknown extends T ? any : T;
export type Read<T> = unknown extends T ? any : DeepReadonly<T>;
export type ReadRecord<T> = StreamRecord<Loose<T>>;

export type Key = string | number | bigint;
export type Time = number | bigint | Date | string;
export type { Computation, InputsOf, OutputsOf };
`;
