import type { RememberedRequest } from '@millrace/engine';
import { describe, expect, it } from 'vitest';
import { accepted, postedRig, send } from '../../test/posted.ts';

const keyed = (key: string, body: string) => ({ headers: { 'idempotency-key': key }, body });

describe('an idempotency key', () => {
  it('HI1: joins requests that come while the first is on its way; another body under it is refused', async () => {
    const rig = await postedRig({}, false);
    const first = send(rig, keyed('k', '[1]'));
    await expect.poll(() => rig.taken.length).toBe(1);
    const same = send(rig, keyed('k', '[1]'));
    const other = send(rig, keyed('k', '[2]'));
    const otherFormat = send(rig, {
      ...keyed('k', '[1]'),
      headers: { 'idempotency-key': 'k', 'content-type': 'application/x-ndjson' },
    });
    await send(rig, { method: 'GET', body: '' });
    rig.commit([accepted(1)]);
    const replies = await Promise.all([first, same, other, otherFormat]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 422, 422]);
    expect(rig.taken).toHaveLength(1);
  });

  it('that was answered gives the same answer again, and 422 for another body', async () => {
    const rig = await postedRig();
    await send(rig, keyed('k', '[1]'));
    const { remember } = rig.taken[0] ?? {};
    const entry: RememberedRequest = {
      digest: remember?.digest as Uint8Array,
      since: 1,
      done: true,
      through: 3,
      accepted: 2,
      rejected: [{ index: 1, reason: 'no' }],
      unlisted: 0,
    };
    rig.remembered.set('k', entry);
    expect(await send(rig, keyed('k', '[1]'))).toMatchObject({
      status: 200,
      body: { accepted: 2, rejected: [{ index: 1, reason: 'no' }] },
    });
    expect(await send(rig, keyed('k', '[2]'))).toMatchObject({
      status: 422,
      body: { code: 'idempotency-key-reused' },
    });
    expect(rig.taken).toHaveLength(1);
    // Begun under a host that died: the rest is handed over, with what is in.
    rig.remembered.set('k', { ...entry, done: false });
    await send(rig, keyed('k', '[1]'));
    expect(rig.taken[1]).toMatchObject({
      id: 'k',
      resume: { through: 3, accepted: 2 },
      remember: { since: 1 },
    });
  });

  it('is minted where there is none, each time another, and then nothing is remembered', async () => {
    const rig = await postedRig();
    await send(rig);
    await send(rig);
    const [a, b] = rig.taken;
    expect(a?.id).toMatch(/^[\w-]{22}$/);
    expect(a?.id).not.toBe(b?.id);
    expect([a?.remember, b?.remember]).toEqual([undefined, undefined]);
  });
});
