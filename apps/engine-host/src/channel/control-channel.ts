/** This end of the channel to the server: validated messages over Node's IPC. */
import { type ToHost, type ToServer, toHost, toServer } from '@millrace/protocol/control';

/** The part of `process` this needs. */
export interface IpcPort {
  send?(message: unknown, callback?: (error: Error | null) => void): boolean;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  on(event: 'disconnect', listener: () => void): unknown;
}

export interface ControlChannel {
  send(message: ToServer): void;
  onMessage(handler: (message: ToHost) => void): void;
  onClose(handler: () => void): void;
}

export function controlChannel(port: IpcPort): ControlChannel {
  return {
    send(message) {
      // The channel may close at any moment; `disconnect` is what tells.
      port.send?.(toServer.parse(message), () => {});
    },
    onMessage: (handler) => port.on('message', (message) => handler(toHost.parse(message))),
    onClose: (handler) => port.on('disconnect', handler),
  };
}
