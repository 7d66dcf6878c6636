/** A JSON text as a tree that remembers where every token stands. Offsets are UTF-16 units. */
export interface JsonMember {
  readonly key: string;
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly value: JsonToken;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

export type JsonToken =
  | (Span & { readonly kind: 'object'; readonly members: readonly JsonMember[] })
  | (Span & { readonly kind: 'array'; readonly items: readonly JsonToken[] })
  | (Span & { readonly kind: 'string'; readonly value: string })
  | (Span & { readonly kind: 'number'; readonly value: number })
  | (Span & { readonly kind: 'boolean'; readonly value: boolean })
  | (Span & { readonly kind: 'null' });

export function memberOf(token: JsonToken | undefined, key: string): JsonMember | undefined {
  if (token?.kind !== 'object') return undefined;
  return token.members.find((member) => member.key === key);
}

/** Plain values; a key `__proto__` becomes an own property like any other. */
export function plainValue(token: JsonToken): unknown {
  switch (token.kind) {
    case 'object': {
      const result: Record<string, unknown> = {};
      for (const { key, value } of token.members) setOwn(result, key, plainValue(value));
      return result;
    }
    case 'array':
      return token.items.map(plainValue);
    case 'null':
      return null;
    default:
      return token.value;
  }
}

/** Assignment that cannot reach a setter or the prototype. */
export function setOwn(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}
