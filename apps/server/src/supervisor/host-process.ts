/**
 * One incarnation of the engine host: a process with a channel. Owns the process and the questions it has not
 * answered; knows nothing of its successors.
 */
import { type ChildProcess, fork } from 'node:child_process';
import {
  CONTROL_PROTOCOL,
  HOST_REQUESTS,
  type HostAnswer,
  type HostRequest,
  type HostRequestKind,
  type HostSettings,
  type ToHost,
  type ToServer,
  toServer,
} from '@millrace/protocol/control';
import { processorTimeMs } from '@millrace/sandbox';
import { HostHealth, PING_MS } from './host-health.ts';

/** `away`: there is no host now, or it ended before it answered. */
export type HostReply<K extends HostRequestKind> =
  | { readonly kind: 'answer'; readonly body: HostAnswer<K> }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }
  | { readonly kind: 'away' };

export interface HostProcessOptions {
  readonly program: string;
  readonly settings: HostSettings;
  readonly env: NodeJS.ProcessEnv;
  /** Everything but answers and pongs, which are heard here. */
  heard(message: ToServer): void;
  output(line: string): void;
  ended(how: string): void;
}

export interface HostProcess {
  readonly pid: number | undefined;
  send(message: ToHost): void;
  request<K extends HostRequestKind>(kind: K, body: HostRequest<K>): Promise<HostReply<K>>;
  /** In order within this time, by force after it. Resolves when the process is gone. */
  stop(withinMs: number): Promise<void>;
  kill(): void;
}

const GRACE_MS = 1_000;

export function startHostProcess(options: HostProcessOptions): HostProcess {
  const { program, settings, env } = options;
  const child = fork(program, [], {
    serialization: 'advanced',
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    execArgv: ['--enable-source-maps'],
    env,
  });
  const gone = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(`it ended with ${signal ?? `code ${code}`}`));
  });
  const waiting = new Map<number, (reply: HostReply<HostRequestKind>) => void>();
  let nextId = 1;
  const send = (message: ToHost) => {
    // A channel that closes meanwhile is told by `exit`.
    if (child.connected) child.send(message, () => {});
  };
  const health = watchHealth(child, send);

  child.on('message', (raw) => {
    const message = toServer.parse(raw);
    health.heard();
    if (message.type === 'hello') greet(message.protocol, () => send({ type: 'begin', settings }));
    if (message.type === 'answer') {
      waiting.get(message.id)?.(message.outcome as HostReply<HostRequestKind>);
      waiting.delete(message.id);
    } else if (message.type !== 'pong') options.heard(message);
  });
  passLines(child, options.output);
  void gone.then((how) => {
    health.stop();
    for (const reply of waiting.values()) reply({ kind: 'away' });
    waiting.clear();
    options.ended(how);
  });

  return {
    pid: child.pid,
    send,
    async request(kind, body) {
      if (!child.connected) return { kind: 'away' };
      const id = nextId++;
      const reply = await new Promise<HostReply<HostRequestKind>>((resolve) => {
        waiting.set(id, resolve);
        send({ type: 'request', id, kind, body });
      });
      return checked(kind, reply);
    },
    async stop(withinMs) {
      send({ type: 'stop', withinMs });
      const timer = setTimeout(() => child.kill('SIGKILL'), withinMs + GRACE_MS);
      await gone;
      clearTimeout(timer);
    },
    kill: () => void child.kill('SIGKILL'),
  };
}

/** Both are built together; a host of another build would be a mistake of the installation. */
function greet(protocol: number, begin: () => void): void {
  if (protocol !== CONTROL_PROTOCOL)
    throw new Error(
      `the engine host speaks protocol ${protocol}, not ${CONTROL_PROTOCOL}: run npm run build`,
    );
  begin();
}

function checked<K extends HostRequestKind>(kind: K, reply: HostReply<HostRequestKind>): HostReply<K> {
  if (reply.kind !== 'answer') return reply;
  return { kind: 'answer', body: HOST_REQUESTS[kind].answer.parse(reply.body) as HostAnswer<K> };
}

/** One that hangs is killed; so is one that is stopped by a debugger. */
function watchHealth(child: ChildProcess, send: (message: ToHost) => void) {
  const health = new HostHealth(
    () => performance.now(),
    () => processorTimeMs(child.pid),
  );
  let pings = 0;
  const timer = setInterval(() => {
    if (health.hangs()) child.kill('SIGKILL');
    else send({ type: 'ping', id: ++pings });
  }, PING_MS);
  timer.unref();
  return {
    heard: () => health.heard(),
    stop: () => clearInterval(timer),
  };
}

function passLines(child: ChildProcess, output: (line: string) => void): void {
  for (const stream of [child.stdout, child.stderr]) {
    let rest = '';
    stream?.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = (lines.pop() ?? '').slice(-LONGEST_LINE);
      for (const line of lines) output(line);
    });
  }
}
const LONGEST_LINE = 16 * 1024;
