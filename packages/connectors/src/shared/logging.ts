import type { ConnectorContext } from '@millrace/engine';

/** A context that may also carry a place to say why a connector is waiting. */
export type LoggingContext = ConnectorContext & { log?(message: string): void };

export function say(context: LoggingContext, message: string): void {
  context.log?.(`Node "${context.nodeName}": ${message}`);
}
