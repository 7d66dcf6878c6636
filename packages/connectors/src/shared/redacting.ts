/**
 * Puts a `Redaction` around a connector: whatever it throws, logs or records as a dead letter leaves it without the
 * secrets it resolved. Around all connectors at once, so that none can forget it. Secrets are resolved while a
 * connector opens; one that resolved none is handed back as it is.
 */
import type {
  ConnectorContext,
  InjectorConnector,
  OpenSink,
  SinkConnector,
  SinkContext,
  SourceChunk,
  SourcePartition,
} from '@millrace/engine';
import { Redaction } from './redaction.ts';

export function redactingInjector(connector: InjectorConnector): InjectorConnector {
  return {
    async open(config, context) {
      const redaction = new Redaction();
      const opened = await cleanly(redaction, connector.open(config, learning(context, redaction)));
      if (redaction.knowsNothing) return opened;
      return {
        ...opened,
        partitions: opened.partitions.map((partition) => redactingPartition(partition, redaction)),
        close: () => cleanly(redaction, opened.close()),
      };
    },
  };
}

export function redactingSink(connector: SinkConnector): SinkConnector {
  return {
    egress: connector.egress,
    async open(config, context): Promise<OpenSink> {
      const redaction = new Redaction();
      const sink = await cleanly(redaction, connector.open(config, learningSink(context, redaction)));
      return {
        get through() {
          return sink.through;
        },
        deliver: (batch, signal) => cleanly(redaction, sink.deliver(batch, signal)),
        close: () => cleanly(redaction, sink.close()),
      };
    },
  };
}

function redactingPartition(partition: SourcePartition, redaction: Redaction): SourcePartition {
  return {
    name: partition.name,
    ...(partition.committed && {
      committed: (...told: Parameters<NonNullable<SourcePartition['committed']>>) =>
        partition.committed?.(...told),
    }),
    ...(partition.held && { held: (held: boolean) => partition.held?.(held) }),
    async *read(offset, signal): AsyncGenerator<SourceChunk> {
      try {
        yield* partition.read(offset, signal);
      } catch (error) {
        throw redaction.error(error);
      }
    },
  };
}

function learning(context: ConnectorContext, redaction: Redaction): ConnectorContext {
  return {
    ...context,
    secret: async (name) => redaction.learn(await context.secret(name)),
    log: (message) => context.log?.(redaction.text(message)),
  };
}

function learningSink(context: SinkContext, redaction: Redaction): SinkContext {
  return {
    ...context,
    ...learning(context, redaction),
    commit: (mark, letters, write) =>
      context.commit(
        mark,
        letters.map(({ row, error }) => ({ row, error: redaction.text(error) })),
        write,
      ),
  };
}

async function cleanly<T>(redaction: Redaction, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw redaction.error(error);
  }
}
