/**
 * Cuts requests that were posted to an injector into records, one request after the other, and keeps what is to be
 * answered and remembered of them (engine SPEC.md 7).
 *
 * Owns: the requests handed to this worker and not finished, the progress of the first of them.
 * Invariants
 *   RR1  the mark is the number of the first request that is not finished; what of that one is decided already
 *        stands beside it, so that the rest, read again from its start, goes on behind what is in.
 *   RR2  an index is decided once, whoever sends the request again: as a record in the commit, or as rejected.
 */
import {
  LONGEST_REASON,
  MOST_REJECTIONS,
  type PostedRequest,
  type Rejection,
  type RememberedRequest,
  type RequestAnswer,
  type RequestProgress,
} from '@millrace/protocol';
import { errorText } from '../dead-letter.ts';
import { ByteWindow } from './byte-window.ts';
import { parseJson } from './exact-json.ts';
import { jsonBodyScanner } from './json-body-scanner.ts';
import { lineScanner } from './line-scanner.ts';
import type { RecordScanner, Scanned } from './scanned.ts';

/** A piece of a body as text at a time: a body of 32 MiB need not be there twice. */
const SLICE_BYTES = 1024 * 1024;

export interface NamedEntry {
  readonly id: string;
  readonly entry: RememberedRequest;
}

/** Plain data in the partition's mark: what is decided of the first unfinished request. */
interface Begun extends RequestProgress {
  readonly id: string;
}

export class RequestReader {
  #waiting: { readonly request: PostedRequest; readonly sequence: number }[] = [];
  #current: OpenRequest | undefined;
  #number: number;
  #unread = 0;
  #begun: Begun | undefined;
  #answers: RequestAnswer[] = [];
  #entries: NamedEntry[] = [];
  #moved = false;
  #last: OpenRequest | undefined;

  constructor(number: number, memory: unknown) {
    this.#number = number;
    this.#begun = memory as Begun | undefined;
  }

  push(request: PostedRequest, sequence: number): void {
    this.#waiting.push({ request, sequence });
    this.#unread += request.bytes.length;
  }

  /** Number of the first request that is not finished. */
  get number(): number {
    return this.#number;
  }

  get unreadBytes(): number {
    return this.#unread;
  }

  get unfinished(): number | undefined {
    return this.#current?.sequence ?? this.#waiting[0]?.sequence;
  }

  /** The request of the record that was given last. */
  get request(): PostedRequest | undefined {
    return this.#last?.request;
  }

  /** Place of the record that was given last among those of its request. */
  get index(): number {
    return (this.#last?.through ?? 0) - 1;
  }

  /** `skipped`: it was decided by an earlier commit. */
  next(): Scanned | 'skipped' | undefined {
    for (;;) {
      this.#current ??= this.#open();
      const current = this.#current;
      if (current === undefined) return undefined;
      const scanned = current.scanner.next(current.window, current.fed);
      if (scanned !== undefined) {
        const index = current.read++;
        if (index < current.through) return 'skipped';
        current.through = index + 1;
        current.accepted++;
        this.#last = current;
        this.#moved = true;
        return scanned;
      }
      if (current.fed) this.#finish(current);
      else this.#unread -= current.feed();
    }
  }

  /** The record that was given last does not go in. */
  reject(error: unknown): void {
    const current = this.#last as OpenRequest;
    current.accepted--;
    if (current.rejected.length >= MOST_REJECTIONS) current.unlisted++;
    else
      current.rejected.push({
        index: this.index,
        reason: errorText(error).error.slice(0, LONGEST_REASON),
      });
  }

  /** What the next mark holds beside the number. */
  takeMemory(): { readonly memory: unknown; readonly answers: readonly RequestAnswer[] } {
    const answers = this.#answers;
    this.#answers = [];
    this.#moved = false;
    const current = this.#current;
    if (current === undefined || current.through === 0) return { memory: undefined, answers };
    const memory: Begun = { id: current.request.id, ...current.progress };
    return { memory, answers };
  }

  get moved(): boolean {
    return this.#moved;
  }

  /** What is to be remembered with the next mark. */
  takeEntries(): readonly NamedEntry[] {
    if (!this.#moved) return [];
    const entries = this.#entries;
    this.#entries = [];
    const current = this.#current;
    if (current !== undefined && current.through > 0) this.#remember(current, false, entries);
    return entries;
  }

  #open(): OpenRequest | undefined {
    const next = this.#waiting.shift();
    if (next === undefined) return undefined;
    const { request, sequence } = next;
    // A host that lived on has handed it over again without asking the store anew.
    const begun = this.#begun?.id === request.id ? this.#begun : request.resume;
    this.#begun = undefined;
    return new OpenRequest(request, sequence, begun);
  }

  #finish(current: OpenRequest): void {
    this.#current = undefined;
    this.#number++;
    this.#moved = true;
    const { accepted, rejected, unlisted } = current;
    this.#answers.push({ accepted, rejected, unlisted });
    this.#remember(current, true, this.#entries);
  }

  #remember(current: OpenRequest, done: boolean, entries: NamedEntry[]): void {
    const { id, remember } = current.request;
    if (remember !== undefined) entries.push({ id, entry: { ...remember, done, ...current.progress } });
  }
}

class OpenRequest {
  readonly request: PostedRequest;
  readonly sequence: number;
  readonly scanner: RecordScanner;
  readonly window = new ByteWindow(0);
  /** Records found so far, also those that are decided already. */
  read = 0;
  through: number;
  accepted: number;
  readonly rejected: Rejection[];
  unlisted: number;
  #fedBytes = 0;
  fed = false;

  constructor(request: PostedRequest, sequence: number, resume: RequestProgress | undefined) {
    this.request = request;
    this.sequence = sequence;
    this.scanner = request.format === 'json' ? jsonBodyScanner() : lineScanner(undefined, parseJson, true);
    this.through = resume?.through ?? 0;
    this.accepted = resume?.accepted ?? 0;
    this.rejected = [...(resume?.rejected ?? [])];
    this.unlisted = resume?.unlisted ?? 0;
  }

  get progress(): RequestProgress {
    const { through, accepted, rejected, unlisted } = this;
    return { through, accepted, rejected, unlisted };
  }

  /** Gives the scanner another piece; returns its length. */
  feed(): number {
    const piece = this.request.bytes.subarray(this.#fedBytes, this.#fedBytes + SLICE_BYTES);
    this.#fedBytes += piece.length;
    this.window.push(piece);
    this.window.pull();
    if (this.#fedBytes < this.request.bytes.length) return piece.length;
    this.window.end();
    this.window.pull();
    this.fed = true;
    return piece.length;
  }
}
