/**
 * Which injectors of this process may be posted to. Pipelines are named by id or by name, injectors by node id or
 * by name; a name that two pipelines share leads nowhere.
 */
import type { HttpInjector } from './http-injector.ts';

export interface PipelineNames {
  readonly id: string;
  readonly name: string;
}

export type FoundDoor =
  | { readonly kind: 'open'; readonly injector: HttpInjector }
  | { readonly kind: 'unknown-pipeline' | 'unknown-injector' | 'ambiguous' };

interface Door {
  readonly pipeline: PipelineNames;
  readonly node: { readonly id: string; readonly name: string };
  readonly injector: HttpInjector;
}

export class IngestDoors {
  readonly #doors = new Set<Door>();

  /** Returns what takes it out again. */
  open(door: Door): () => void {
    this.#doors.add(door);
    return () => this.#doors.delete(door);
  }

  find(pipeline: string, injector: string): FoundDoor {
    const doors = [...this.#doors];
    let ofPipeline = doors.filter((door) => door.pipeline.id === pipeline);
    if (ofPipeline.length === 0) ofPipeline = doors.filter((door) => door.pipeline.name === pipeline);
    if (ofPipeline.length === 0) return { kind: 'unknown-pipeline' };
    if (new Set(ofPipeline.map((door) => door.pipeline.id)).size > 1) return { kind: 'ambiguous' };
    const found =
      ofPipeline.find(({ node }) => node.id === injector) ??
      ofPipeline.find(({ node }) => node.name === injector);
    return found === undefined ? { kind: 'unknown-injector' } : { kind: 'open', injector: found.injector };
  }
}
