/** The page's socket as a value, for what keeps state over it and is tested without one. */
import type { ClientEvent, EventAnswer, EventPayload, ServerEvent } from '@millrace/protocol/api';
import { connectionStore, isConnected, onEvent, openSocket, request } from './connection.ts';

export interface Wire {
  /**
   * Throws where no answer came: whether the server has acted is not known then. Nothing is queued while the
   * socket is away: who sends decides what is still true when it is back.
   */
  readonly ask: <N extends ClientEvent>(event: N, payload: EventPayload<N>) => Promise<EventAnswer<N>>;
  /** Hands back what ends it. */
  readonly on: <N extends ServerEvent>(
    event: N,
    handler: (payload: EventPayload<N>, taken: () => void) => void,
  ) => () => void;
  readonly isOnline: () => boolean;
  /** Told at every change of the connection. */
  readonly subscribe: (listener: () => void) => () => void;
}

export function openWire(): Wire {
  openSocket();
  return {
    ask: (event, payload) =>
      isConnected()
        ? request(event, payload)
        : Promise.reject(new Error('The server cannot be reached right now.')),
    on: onEvent,
    isOnline: isConnected,
    subscribe: (listener) => connectionStore.subscribe(listener),
  };
}
