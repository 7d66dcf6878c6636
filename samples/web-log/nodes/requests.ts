import { input, map } from '@millrace/sdk';
import { parseLine } from '#lib/combined-log';
import type { Inputs } from './streams';

/** Reads each line. One that is broken throws: it becomes a dead letter, and the next line is read as ever. */
export default map(input<Inputs['lines']>(), parseLine);
