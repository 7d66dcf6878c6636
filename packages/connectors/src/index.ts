import type { Connectors, InjectorConnector, SinkConnector } from '@millrace/engine';
import { discardSink } from './discard/sink.ts';
import { fileInjector } from './file-injector/injector.ts';
import { fileSink } from './file-sink/sink.ts';
import { fileTableInjector } from './file-table/injector.ts';
import { generatorInjector } from './generator/injector.ts';
import { hostMetricsInjector } from './host-metrics/injector.ts';
import { httpInjector } from './http-injector/injector.ts';
import { httpSink } from './http-sink/sink.ts';
import { intervalInjector } from './interval/injector.ts';
import { postgresSink } from './postgres-sink/sink.ts';
import { postgresTableInjector } from './postgres-table/injector.ts';
import { redactingInjector, redactingSink } from './shared/redacting.ts';

const injectors: ReadonlyMap<string, InjectorConnector> = new Map([
  ['injector/file', fileInjector],
  ['injector/file-table', fileTableInjector],
  ['injector/postgres-table', postgresTableInjector],
  ['injector/generator', generatorInjector],
  ['injector/interval', intervalInjector],
  ['injector/host-metrics', hostMetricsInjector],
  ['injector/http', httpInjector()],
]);

const sinks: ReadonlyMap<string, SinkConnector> = new Map([
  ['sink/file', fileSink],
  ['sink/postgres', postgresSink],
  ['sink/http', httpSink],
  ['sink/discard', discardSink],
]);

const redactedInjectors = new Map([...injectors].map(([type, each]) => [type, redactingInjector(each)]));
const redactedSinks = new Map([...sinks].map(([type, each]) => [type, redactingSink(each)]));

export const connectors: Connectors = {
  injector: (type) => redactedInjectors.get(type),
  sink: (type) => redactedSinks.get(type),
};

export type { IngestLimits, IngestListener, IngestListenerOptions } from './http-injector/ingest-listener.ts';
export { openIngestListener } from './http-injector/ingest-listener.ts';
export { ConnectorError } from './shared/connector-error.ts';
export { redactingInjector, redactingSink } from './shared/redacting.ts';
export { connectorSpecs } from './specs.ts';
