import { builtInTypes, canonicalJson } from '@millrace/graph';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type DraftSource, openLocalDraft, type PutOutcome } from './local-draft.ts';

const pipeline = { format: 1, id: 'p_x', name: 'X', nodes: {}, streams: {} };

function opened(put: DraftSource['put'], more: Partial<DraftSource> = {}) {
  return openLocalDraft({
    files: { 'pipeline.json': canonicalJson(pipeline) },
    revision: 4,
    readOnly: false,
    types: new Map(builtInTypes.map((spec) => [spec.type, spec])),
    key: 'p_x',
    put,
    ...more,
  });
}

const add = { kind: 'add-node', type: 'operator/map', at: [0, 0] } as const;

describe('a draft kept by this page', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('writes once after a burst of edits, with the revision it is based on', async () => {
    const put = vi.fn(async (): Promise<PutOutcome> => ({ kind: 'saved', revision: 5 }));
    const draft = opened(put);
    draft.run(add);
    draft.run(add);
    expect(draft.state().save.kind).toBe('saving');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(put).toHaveBeenCalledTimes(1);
    expect(put.mock.calls[0]).toMatchObject([{ 'pipeline.json': expect.stringContaining('"map 2"') }, 4]);
    expect(draft.state().save.kind).toBe('saved');
    draft.run(add);
    await vi.advanceTimersByTimeAsync(1_000);
    expect((put.mock.calls as unknown[][])[1]?.[1]).toBe(5);
  });

  it('tries again after a failure and says why it is not saved', async () => {
    const outcomes: PutOutcome[] = [
      { kind: 'failed', reason: 'offline' },
      { kind: 'saved', revision: 5 },
    ];
    const draft = opened(async () => outcomes.shift() ?? { kind: 'conflict' });
    draft.run(add);
    await vi.advanceTimersByTimeAsync(700);
    expect(draft.state().save).toEqual({ kind: 'unsaved', reason: 'offline' });
    await vi.advanceTimersByTimeAsync(4_000);
    expect(draft.state().save.kind).toBe('saved');
  });

  it('never writes over what somebody else wrote', async () => {
    const put = vi.fn(async (): Promise<PutOutcome> => ({ kind: 'conflict' }));
    const draft = opened(put);
    draft.run(add);
    await vi.advanceTimersByTimeAsync(700);
    draft.run(add);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(put).toHaveBeenCalledTimes(1);
    expect(draft.state().save.kind).toBe('unsaved');
  });

  it('a reload keeps what can be undone', () => {
    const stored = new Map<string, string>();
    const storage = {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
    };
    const put = async (): Promise<PutOutcome> => ({ kind: 'saved', revision: 5 });
    const first = opened(put, { storage });
    first.run({ kind: 'rename-pipeline', name: 'Y' });
    const again = opened(put, {
      storage,
      revision: 5,
      files: { 'pipeline.json': canonicalJson({ ...pipeline, name: 'Y' }) },
    });
    expect(again.state().undo).toBe('rename-pipeline');
    again.undo();
    expect(again.document.read().pipeline.name).toBe('X');
    expect(again.state().redo).toBe('rename-pipeline');
  });

  it('a sample takes no edit', () => {
    const draft = opened(async () => ({ kind: 'conflict' }), { readOnly: true });
    expect(draft.run(add)).toMatchObject({ kind: 'refused', code: 'read-only' });
    expect(draft.state().save.kind).toBe('read-only');
  });
});
