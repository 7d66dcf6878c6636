import { randomInt } from 'node:crypto';
import { mintId } from '@millrace/graph';

export const mintPipelineId = (): string => mintId('p', () => randomInt(2 ** 32) / 2 ** 32);
