/** The engine host as a process: forked by the server with an IPC channel, ended by it or with it. */
import { CONTROL_PROTOCOL, type ToHost } from '@millrace/protocol/control';
import { controlChannel } from './channel/control-channel.ts';
import { EngineHost } from './engine-host.ts';

const channel = controlChannel(process);
let host: Promise<EngineHost> | undefined;

/** What a terminal sends to all: the server answers it, and stops this process in order. */
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
process.on('SIGTERM', () => void stop(5_000));

for (const event of ['uncaughtException', 'unhandledRejection'] as const)
  process.on(event, (error: unknown) => {
    console.error(error);
    process.exit(1);
  });

channel.onClose(() => process.exit(0));
channel.onMessage(hear);
channel.send({ type: 'hello', pid: process.pid, protocol: CONTROL_PROTOCOL });

function hear(message: ToHost): void {
  if (message.type === 'stop') {
    void stop(message.withinMs);
  } else if (message.type === 'begin') {
    host ??= EngineHost.begin(channel, message.settings, () => {
      console.error('Another engine host has taken over; this one ends.');
      process.exit(1);
    });
  } else if (message.type === 'ping' && host === undefined) {
    channel.send({ type: 'pong', id: message.id });
  } else {
    void host?.then((running) => running.hear(message));
  }
}

async function stop(withinMs: number): Promise<void> {
  setTimeout(() => process.exit(0), withinMs).unref();
  const running = await host?.catch(() => undefined);
  await running?.stop();
  process.exit(0);
}
