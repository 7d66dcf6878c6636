/** The answers to the server's questions, one handler a kind. A feature's handler is a file beside this one. */
import {
  HOST_REQUESTS,
  type HostAnswer,
  type HostRequest,
  type HostRequestKind,
  type ToServer,
} from '@millrace/protocol/control';
import { logsOf } from './logs-of.ts';
import { moveKeysOf } from './move-keys-of.ts';
import { redriveOf } from './redrive-of.ts';
import { Refusal, type RequestContext } from './request-context.ts';
import { runtimeOf } from './runtime-of.ts';
import { stateCounts } from './state-counts.ts';
import { biggestOf, keyOf, keysOf } from './state-requests.ts';
import { closeTapOf, openTapOf } from './tap-requests.ts';
import { recordTraceOf } from './trace-of.ts';
import { trySourcesOf } from './try-sources-of.ts';
import { watermarkCauseOf } from './watermark-cause-of.ts';

type Handler<K extends HostRequestKind> = (
  request: HostRequest<K>,
  context: RequestContext,
) => Promise<HostAnswer<K>>;

const handlers: { readonly [K in HostRequestKind]?: Handler<K> } = {
  'try-sources': trySourcesOf,
  'tap-open': openTapOf,
  'tap-close': closeTapOf,
  redrive: redriveOf,
  'logs-read': logsOf,
  'state-keys': keysOf,
  'state-key': keyOf,
  'state-biggest': biggestOf,
  runtime: runtimeOf,
  'move-keys': moveKeysOf,
  trace: recordTraceOf,
  'watermark-cause': watermarkCauseOf,
  'state-counts': stateCounts,
  watch: async ({ pipeline, everyMs }, { runner }) => {
    runner(pipeline)?.progressEvery(everyMs);
    return {};
  },
};

type Outcome = Extract<ToServer, { type: 'answer' }>['outcome'];

export async function answerRequest(
  kind: HostRequestKind,
  body: unknown,
  context: RequestContext,
): Promise<Outcome> {
  try {
    const handler = handlers[kind] as Handler<HostRequestKind> | undefined;
    if (handler === undefined) throw new Refusal('unknown-question', `This host does not answer ${kind}.`);
    const request = HOST_REQUESTS[kind].request.parse(body) as HostRequest<HostRequestKind>;
    return { kind: 'answer', body: await handler(request, context) };
  } catch (error) {
    const code = error instanceof Refusal ? error.code : 'failed';
    return { kind: 'refused', code, message: (error as Error).message };
  }
}
