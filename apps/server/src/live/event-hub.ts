/**
 * From a socket's events to typed handlers: payload, permission and pipeline are checked against the table of
 * events in front of every handler, and nothing beside the table is listened to.
 */
import {
  type ClientEvent,
  type EventAnswer,
  type EventName,
  type EventPayload,
  eventNames,
  eventSpec,
  type ServerEvent,
} from '@millrace/protocol/api';
import type { Logger } from 'pino';
import type { Socket } from 'socket.io';
import { type Actor, judge } from '../http/actor.ts';
import { Problem } from '../http/problem.ts';

export type EventHandler<N extends ClientEvent> = (
  payload: EventPayload<N>,
) => EventAnswer<N> | Promise<EventAnswer<N>>;
export type EventHandlers = { readonly [N in ClientEvent]: EventHandler<N> };

export interface EventContext {
  readonly socket: Socket;
  /** Who it is now; rights may change while the socket is open. */
  readonly actor: () => Actor;
  /** Whether the actor's workspace has this pipeline. */
  readonly isVisible: (pipeline: string) => Promise<boolean>;
  readonly log: Logger;
}

export const clientEvents: readonly ClientEvent[] = eventNames.filter(
  (name): name is ClientEvent => eventSpec(name).from === 'client',
);

const refused = (code: string, detail: string) => ({ ok: false as const, code, detail });

/** Each part of the server listens to its own events; a test finds one that nobody listens to. */
export function listenToEvents<N extends ClientEvent>(
  context: EventContext,
  handlers: Pick<EventHandlers, N>,
): void {
  for (const name of Object.keys(handlers) as N[])
    context.socket.on(name as string, (payload: unknown, answer?: unknown) => {
      void handle(context, name, handlers[name] as (payload: unknown) => unknown, payload).then((result) => {
        if (typeof answer === 'function') answer(result);
      });
    });
}

async function handle(
  context: EventContext,
  name: EventName,
  handler: (payload: unknown) => unknown,
  payload: unknown,
): Promise<unknown> {
  try {
    const spec = eventSpec(name);
    const parsed = spec.payload.safeParse(payload);
    // Rights come first: what is wrong with a payload is no business of who may not send it.
    const pipeline = pipelineOf(parsed.success ? parsed.data : payload);
    if (judge(context.actor(), spec.permission, pipeline) !== 'allowed')
      return refused(
        'not-allowed',
        `This needs the permission ${spec.permission}, which you do not have here.`,
      );
    if (!parsed.success) return refused('invalid', parsed.error.issues[0]?.message ?? 'not as expected');
    if (pipeline !== undefined && !(await context.isVisible(pipeline)))
      return refused('not-found', 'There is no such pipeline, or you may not see it.');
    return await handler(parsed.data);
  } catch (error) {
    if (error instanceof Problem) return refused(error.code, error.message);
    context.log.error({ err: error, event: name }, 'an event failed');
    return refused('internal', 'Something went wrong on the server; its log says what.');
  }
}

function pipelineOf(payload: unknown): string | undefined {
  const pipeline = (payload as { pipeline?: unknown } | null | undefined)?.pipeline;
  return typeof pipeline === 'string' ? pipeline : undefined;
}

/** `taken`: the client has acknowledged it. */
export function tell<N extends ServerEvent>(
  socket: Socket,
  name: N,
  payload: EventPayload<N>,
  taken?: () => void,
): void {
  if (taken === undefined) socket.emit(name, payload);
  else socket.emit(name, payload, () => taken());
}
