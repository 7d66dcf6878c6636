import type { PipelineStore } from '../ports.ts';
import { MemoryStore } from './memory-store.ts';

/** A store whose calls can be passed on one by one. */
export function plainStore(store: MemoryStore): PipelineStore {
  const names = Object.getOwnPropertyNames(MemoryStore.prototype);
  const calls = names.map((name): [string, unknown] => [name, Reflect.get(store, name)]);
  const bound = calls.map(([name, call]) => [name, typeof call === 'function' ? call.bind(store) : call]);
  return { ...Object.fromEntries(bound), versions: store.versions };
}
