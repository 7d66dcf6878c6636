/** Where a record came in, as its id says that an injector made it: `n_in/part-0@17`, `n_in/request/3`. Pure. */
export interface RecordOrigin {
  readonly node: string;
  /** A partition of the source, or a request that somebody posted. */
  readonly in: 'partition' | 'request';
  readonly name: string;
  /** Bytes into a partition, as its connector counts; records into a request. */
  readonly position: string;
}

/** Undefined: it was made on the way, of others. */
export function originOf(id: string): RecordOrigin | undefined {
  const [, node, name, mark, position] = /^([^/]+)\/(.+)([@/])(\d+)$/s.exec(id) ?? [];
  if (node === undefined || name === undefined || position === undefined) return undefined;
  return { node, in: mark === '@' ? 'partition' : 'request', name, position };
}
