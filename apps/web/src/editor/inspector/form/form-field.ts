/** A form as data: what a setting is filled in with. Made from a schema by `formOf`, drawn by `FieldControl`. */

export type FieldShape =
  | { readonly kind: 'text' }
  | { readonly kind: 'type' }
  | { readonly kind: 'expression' }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'choice'; readonly options: readonly string[] }
  /** `words` are texts that stand instead of a number or duration, such as `off` or `max`. */
  | { readonly kind: 'duration'; readonly words: readonly string[] }
  | {
      readonly kind: 'number';
      readonly isInteger: boolean;
      readonly min?: number;
      readonly max?: number;
      readonly words: readonly string[];
    }
  /** The name of a secret; with `orText` a plain text is allowed too. */
  | { readonly kind: 'secret'; readonly orText: boolean }
  | { readonly kind: 'list'; readonly item: FieldShape }
  | { readonly kind: 'record'; readonly value: FieldShape }
  | { readonly kind: 'object'; readonly fields: readonly FormField[] }
  /** One of several forms, told apart by the text in the field `tag`. */
  | {
      readonly kind: 'variant';
      readonly tag: string;
      readonly variants: readonly Variant[];
      /** A plain text stands for this form with the text in this field. */
      readonly short?: readonly [form: string, field: string];
    }
  | { readonly kind: 'aggregates' }
  /** Anything else: as JSON. */
  | { readonly kind: 'json' };

export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly help: string;
  readonly isRequired: boolean;
  readonly isAdvanced: boolean;
  /** What holds where nothing is set, as the help says it. */
  readonly fallback: string | undefined;
  readonly shape: FieldShape;
}

export interface Variant {
  readonly name: string;
  readonly fields: readonly FormField[];
}
