import type { NodeTypeSpec } from '@millrace/graph';
import { z } from 'zod';

export const discardConfig = z.strictObject({});

export const discardSpec: NodeTypeSpec = {
  type: 'sink/discard',
  kind: 'sink',
  title: 'Discard',
  description: 'Counts the records and keeps none.',
  config: discardConfig,
  inputs: ['in'],
  outputs: [],
};
