/**
 * What a bundle of a worker may touch. A pipeline's code shares a process with the data plane, so whatever
 * comes out of it is checked here: it can spoil its own pipeline's values, and nothing else.
 */
import type { RunPlan } from '@millrace/graph';
import {
  type BundleBody,
  type ChangeCursor,
  META_SPACE,
  readBundleBody,
  SINK_SLOT,
  walkChanges,
} from '@millrace/protocol';

export interface FrameRules {
  /** Parses a body, or throws with what is wrong. */
  check(body: Uint8Array): BundleBody;
}

export function frameRules(options: {
  readonly plan: RunPlan;
  readonly slot: number;
  readonly slots: number;
  readonly nodeNumbers: readonly number[];
}): FrameRules {
  const { plan, slot, slots, nodeNumbers } = options;
  const spaces = new Set(
    plan.nodes
      .filter((node) => node.kind === 'computation')
      .flatMap((node) => [0, 1, 2, 3].map((kind) => (nodeNumbers[node.index] as number) * 4 + kind)),
  );
  const numbers = new Set(nodeNumbers.map(String));

  function checkKey(change: ChangeCursor): void {
    const { space, bytes, keyStart, keyEnd } = change;
    if (space === META_SPACE) return checkMeta(Buffer.from(change.key).toString('utf8'));
    if (!spaces.has(space)) throw new Error(`space ${space} is not one of this pipeline's computations`);
    if (keyEnd - keyStart < 10) throw new Error('a key without a hash');
    const high =
      (bytes[keyStart] as number) * 16777216 +
      (bytes[keyStart + 1] as number) * 65536 +
      (bytes[keyStart + 2] as number) * 256 +
      (bytes[keyStart + 3] as number);
    const owner = Math.floor((high * slots) / 4294967296);
    if (owner !== slot) throw new Error(`a key of interval ${owner}, which worker ${slot} does not own`);
  }

  function checkMeta(key: string): void {
    const [kind, first, second] = key.split('/');
    const ours =
      kind === 'source'
        ? numbers.has(first ?? '')
        : (kind === 'watermark' || kind === 'counters') &&
          first === String(slot) &&
          numbers.has(second ?? '');
    if (!ours && key !== `delivered/${slot}`)
      throw new Error(`meta entry "${key.slice(0, 100)}" is not this worker's to write`);
  }

  return {
    check(bytes) {
      const body = readBundleBody(bytes);
      walkChanges(body, checkKey);
      for (const batch of body.batches) {
        const stream = plan.streams[batch.stream];
        const node = plan.nodes[batch.node];
        if (stream === undefined || node === undefined || stream.to !== batch.node)
          throw new Error(
            `a batch for stream ${batch.stream} and node ${batch.node}, which do not belong together`,
          );
        const sink = node.kind === 'sink';
        if (sink ? batch.slot !== SINK_SLOT : batch.slot >= slots)
          throw new Error(`a batch for slot ${batch.slot} of ${slots}`);
      }
      for (const letter of body.deadLetters) checkLetter(letter);
      return body;
    },
  };
}

function checkLetter(json: string): void {
  const letter = JSON.parse(json) as Record<string, unknown>;
  for (const field of ['id', 'node', 'input', 'error', 'stack', 'origin'])
    if (typeof letter[field] !== 'string') throw new Error(`a dead letter without "${field}"`);
  for (const field of ['key', 'state'])
    if (letter[field] !== undefined && typeof letter[field] !== 'string')
      throw new Error(`a dead letter whose "${field}" is not text`);
  if (letter.timestamp !== undefined && !Number.isFinite(letter.timestamp))
    throw new Error('a dead letter whose timestamp is not a time');
}
