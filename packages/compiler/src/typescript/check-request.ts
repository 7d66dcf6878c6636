/** What crosses the border to the process that checks: plain data, both ways. */

export interface CheckRequest {
  /** The virtual project without libs and SDK. */
  readonly files: ReadonlyMap<string, string>;
  /** Files a person wrote, and generated ones whose expressions are to be judged. In order of reporting. */
  readonly targets: readonly CheckTarget[];
  /** Code and operator nodes whose ports are to be compared with the wires. */
  readonly nodes: readonly PortTarget[];
  /** Types to be told in words, by a name of the asker's; the text stands in the folder of any node. */
  readonly types?: readonly (readonly [name: string, type: string])[];
}

export interface CheckTarget {
  readonly path: string;
  /** `node` and `lib`: whole files. Otherwise one expression or type stands at each span. */
  readonly kind: 'node' | 'lib' | 'expression' | 'type' | 'operator';
  readonly spans: readonly { readonly start: number; readonly end: number }[];
}

export interface PortTarget {
  readonly node: string;
  readonly kind: 'code' | 'operator';
  readonly outputs: readonly string[];
}

export interface RawDiagnostic {
  readonly path: string;
  readonly start: number;
  /** Absent: a point. */
  readonly length?: number;
  readonly code: string;
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

export type PortFinding =
  | { readonly kind: 'not-a-computation'; readonly node: string; readonly found: string }
  | { readonly kind: 'no-default-export'; readonly node: string }
  | {
      readonly kind: 'unknown-output';
      readonly node: string;
      readonly port: string;
      readonly known: readonly string[];
    }
  /** `start` is where the port is declared in the node's file, if it is there. */
  | { readonly kind: 'any-output'; readonly node: string; readonly port: string; readonly start: number }
  | {
      readonly kind: 'unknown-input';
      readonly node: string;
      readonly port: string;
      readonly known: readonly string[];
    }
  | {
      readonly kind: 'input-mismatch';
      readonly node: string;
      readonly port: string;
      readonly given: string;
      readonly expected: string;
    };

/** A code node that is nothing but the call of an operator, with what rules of the graph ask of its settings. */
export interface OperatorFinding {
  readonly node: string;
  /** Name of the function. */
  readonly operator: string;
  /** As in a form; what is not constant is as it has least to object to. */
  readonly settings: {
    readonly window?: { readonly type: string };
    readonly trigger?: { readonly early: '1s' };
    readonly accumulation?: string;
    readonly retractions?: true;
  };
  /** Where the call stands, or leads to, in the file of the node. */
  readonly start: number;
  readonly length: number;
}

export interface CheckResult {
  readonly diagnostics: readonly RawDiagnostic[];
  readonly ports: readonly PortFinding[];
  readonly operators: readonly OperatorFinding[];
  /** Of `types` of the request. */
  readonly types: readonly (readonly [name: string, words: string])[];
}
