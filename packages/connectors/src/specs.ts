/** What pipelines may name as injectors and sinks. Browser-safe: schemas and texts only. */
import type { NodeTypeSpec } from '@millrace/graph';
import { discardSpec } from './discard/spec.ts';
import { fileInjectorSpec } from './file-injector/spec.ts';
import { fileSinkSpec } from './file-sink/spec.ts';
import { fileTableSpec } from './file-table/spec.ts';
import { generatorSpec } from './generator/spec.ts';
import { hostMetricsSpec } from './host-metrics/spec.ts';
import { httpInjectorSpec } from './http-injector/spec.ts';
import { httpSinkSpec } from './http-sink/spec.ts';
import { intervalSpec } from './interval/spec.ts';
import { postgresSinkSpec } from './postgres-sink/spec.ts';
import { postgresTableSpec } from './postgres-table/spec.ts';

export const connectorSpecs: readonly NodeTypeSpec[] = [
  fileInjectorSpec,
  fileTableSpec,
  postgresTableSpec,
  generatorSpec,
  intervalSpec,
  hostMetricsSpec,
  httpInjectorSpec,
  fileSinkSpec,
  postgresSinkSpec,
  httpSinkSpec,
  discardSpec,
];
