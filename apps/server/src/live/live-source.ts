/** What the live part of the server needs of the engine host; the supervisor gives it. */
import type {
  ControlTapBatch,
  HostAnswer,
  HostRequest,
  HostRequestKind,
  Observation,
  PipelineProgress,
} from '@millrace/protocol/control';

export type HostReply<K extends HostRequestKind> =
  | { readonly kind: 'answer'; readonly body: HostAnswer<K> }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string };

export interface LiveListener {
  progress?(progress: PipelineProgress): void;
  observed?(observation: Observation): void;
  /** The next `tap` of this id comes only after `tapTaken`. */
  tap?(tap: string, batches: readonly ControlTapBatch[], dropped: number): void;
  tapEnded?(tap: string): void;
  /** A host is there, maybe another than before: what was asked of the last one is forgotten. */
  ready?(): void;
}

export interface LiveSource {
  /** Refused with `host-away` while there is no host. */
  request<K extends HostRequestKind>(kind: K, body: HostRequest<K>): Promise<HostReply<K>>;
  tapTaken(tap: string): void;
  /** Returns how to stop listening. */
  listen(listener: LiveListener): () => void;
}
