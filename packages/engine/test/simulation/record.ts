/** The records that go through simulated pipelines. */

export interface Value {
  /** Names the record: what it was made of, and by which node. */
  readonly id: string;
  /** What streams are keyed by. */
  readonly g: number;
  readonly x: number;
  /** Of productions of a node with state: node, key and the how-manieth of that key. Not part of what must come out. */
  readonly by?: string;
  readonly nth?: number;
}

export interface PlainRecord {
  readonly key: string;
  readonly value: Value;
  readonly timestamp: number;
}

/** The same in the oracle and in the workers. */
export function keyOf(value: Value, groups: number): string {
  return `k${value.g % groups}`;
}

export function windowOf(timestamp: number, size: number): number {
  return Math.floor(timestamp / size) * size;
}

/** A small number that follows from a text. */
export function digest(text: string): number {
  let hash = 7;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return hash >>> 1;
}
