/** Somebody outside who posts requests, one after the other, each until it is answered: a host that died said nothing. */
import type { Outcome, PostedSource, SentRequest } from './posted-source.ts';
import type { World } from './world.ts';

export interface Post extends SentRequest {
  /** Virtual wall time, ms. */
  readonly at: number;
  readonly accepted: number;
  readonly rejected: number;
}

export interface ClientOptions {
  readonly world: World;
  readonly posts: readonly Post[];
  /** Where it reaches the pipeline now. */
  readonly door: () => PostedSource | undefined;
  readonly problem: (text: string) => void;
}

const PATIENCE_MS = 3_000;
const AGAIN_MS = 250;

export class Client {
  readonly #options: ClientOptions;
  #at = 0;
  /** Only the latest one is followed by another. */
  #attempt = 0;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /** Everything is answered, and answered alike when it was sent again. */
  get isDone(): boolean {
    return this.#at >= this.#options.posts.length;
  }

  begin(): void {
    const { world, posts } = this.#options;
    const post = posts[this.#at];
    if (post === undefined) return this.#options.door()?.nudge();
    world.time.at(Math.max(world.time.now, post.at), undefined, () => this.#insist(post));
  }

  /** Sends it until it is answered; now and then twice at once, or before the answer can be there. */
  #insist(post: Post): void {
    const { world, posts } = this.#options;
    if (posts[this.#at] !== post) return;
    const attempt = ++this.#attempt;
    const isHasty = world.random.chance(0.1);
    this.#send(post, (outcome) => this.#heard(post, attempt, outcome));
    if (isHasty) this.#send(post, () => undefined);
    world.time.after(PATIENCE_MS, undefined, () => {
      if (attempt === this.#attempt) this.#insist(post);
    });
  }

  #heard(post: Post, attempt: number, outcome: Outcome): void {
    const { world, posts } = this.#options;
    if (posts[this.#at] !== post) return;
    if (outcome.kind === 'unavailable') {
      if (attempt !== this.#attempt) return;
      return world.time.after(AGAIN_MS, undefined, () => {
        if (attempt === this.#attempt) this.#insist(post);
      });
    }
    this.#check(post, outcome);
    if (world.random.chance(0.2)) this.#send(post, (again) => this.#check(post, again));
    if (world.random.chance(0.1))
      this.#send({ ...post, body: `${post.body}\n` }, ({ kind }) => {
        if (kind === 'answered') this.#options.problem(`another body of ${post.key} was taken`);
      });
    this.#at++;
    this.begin();
  }

  #check(post: Post, outcome: Outcome): void {
    if (outcome.kind === 'unavailable') return;
    const isRight =
      outcome.kind === 'answered' && outcome.accepted === post.accepted && outcome.rejected === post.rejected;
    if (!isRight)
      this.#options.problem(
        `${post.key}: ${JSON.stringify(outcome)}, not ${post.accepted} accepted and ${post.rejected} rejected`,
      );
  }

  #send(request: SentRequest, heard: (outcome: Outcome) => void): void {
    const { world } = this.#options;
    const door = this.#options.door();
    if (door === undefined)
      return world.time.after(AGAIN_MS, undefined, () => heard({ kind: 'unavailable' }));
    world.time.after(world.latency('frames'), door.process, () => {
      void door
        .post(request)
        .then((outcome) => world.time.after(world.latency('frames'), undefined, () => heard(outcome)));
    });
  }
}
