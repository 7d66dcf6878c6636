/** A partition that is pushed to, in memory: what it was given and is not committed, it hands over anew. */
import type { PostedRequest, RequestAnswer } from '@millrace/protocol';
import type {
  ConnectorContext,
  InjectorConnector,
  RequestMemory,
  SourceChunk,
  SourcePartition,
} from '../ports.ts';

type Post = Omit<PostedRequest, 'kind' | 'number' | 'time'>;

export class PostedPartition implements SourcePartition {
  readonly name = '0';
  readonly answers: RequestAnswer[] = [];
  memory: RequestMemory | undefined;
  #posts: Post[] = [];
  #first = 0;
  #wake: (() => void) | undefined;

  connector(): InjectorConnector {
    return {
      open: async (_config, context: ConnectorContext) => {
        this.memory = context.requestMemory?.(60_000);
        return { partitions: [this], close: async () => undefined };
      },
    };
  }

  post(id: string, text: string, more: Partial<Post> = {}): void {
    const bytes = new TextEncoder().encode(text);
    this.#posts.push({ id, bytes, format: 'jsonl', remember: undefined, resume: undefined, ...more });
    this.#wake?.();
  }

  get waiting(): number {
    return this.#posts.length;
  }

  /** The host died: nobody hands over anew what it had. */
  forget(): void {
    this.#posts = [];
  }

  async *read(offset: number, signal: AbortSignal): AsyncGenerator<SourceChunk> {
    this.#first = offset;
    for (let i = offset; !signal.aborted; ) {
      const post = this.#posts[i - this.#first];
      if (post === undefined) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
          signal.addEventListener('abort', () => resolve());
        });
        continue;
      }
      yield { kind: 'request', number: i++, time: 1_000, ...post };
    }
  }

  committed(offset: number, answers: readonly RequestAnswer[]): void {
    this.answers.push(...answers);
    this.#posts.splice(0, offset - this.#first);
    this.#first = offset;
  }
}
