import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStore, type Store } from '../store.ts';
import { dataFolder } from '../testing/data-folder.ts';
import { listServers, type ServerSeat, takeSeat } from './server-seat.ts';

describe('servers that share a database', () => {
  const folder = dataFolder();
  const seats: ServerSeat[] = [];
  let owner: Store;
  let url: string;

  beforeAll(async () => {
    owner = await openStore({ dataDir: folder.path }, () => undefined);
    const [row] = await owner.query('show unix_socket_directories');
    await owner.query('create database shared');
    url = `postgres://millrace@/shared?host=${String(row?.unix_socket_directories).replaceAll('"', '')}&application_name=psql`;
  });

  afterAll(async () => {
    await Promise.all(seats.map((seat) => seat.close()));
    await owner.close();
    await folder.remove();
  });

  async function seat(name: string): Promise<ServerSeat> {
    const taken = await takeSeat(url, `http://${name}`);
    seats.push(taken);
    return taken;
  }

  async function claimed(by: ServerSeat): Promise<number> {
    const term = await by.claim(await by.look());
    await by.endOlderTerms(term as number);
    return term as number;
  }

  const write = (store: Store, text: string) =>
    store.database.change('insert into data.said values ($1)', [text]);

  test('SL1: a claim is for what was seen: of two one gets it, and a beat in between keeps the lease', async () => {
    const [one, two] = [await seat('one'), await seat('two')];
    const seen = await one.look();
    expect(seen.leader).toBeUndefined();
    const terms = await Promise.all([one.claim(seen), two.claim(seen)]);
    expect(terms.filter((term) => term !== undefined)).toEqual([seen.sequencer + 1]);
    const [leader, other] = terms[0] === undefined ? [two, one] : [one, two];
    const before = await other.look();
    expect(before.leader).toMatchObject({ isHere: true, isThis: false });
    expect(await leader.beat(before.sequencer)).toBe(true);
    expect(await other.claim(before)).toBeUndefined();
    const term = await other.claim(await other.look());
    expect(term).toBe(before.sequencer + 1);
    expect(await leader.beat(before.sequencer)).toBe(false);
    await leader.giveBack(before.sequencer);
    expect((await other.look()).leader?.isThis).toBe(true);
  });

  test('who is there is listed, who leads first; one whose session is gone is not', async () => {
    const [three, four] = [await seat('three'), await seat('four')];
    await three.look();
    await four.look();
    await claimed(four);
    const shared = await openStore({ url }, () => undefined);
    const listed = async () =>
      (await listServers(shared.database)).map(({ address, leads }) => [address, leads]);
    expect(await listed()).toEqual([
      ['http://four', true],
      ['http://one', false],
      ['http://two', false],
      ['http://three', false],
    ]);
    await three.close();
    await expect.poll(listed).not.toContainEqual(['http://three', false]);
    await shared.close();
  });

  test('ST1 (P6): nothing of an older term takes effect once a claim is over, whether it waited, ran or comes later', async () => {
    const leader = await seat('leader');
    const first = await claimed(leader);
    const old = await openStore({ url, term: first }, () => undefined);
    const troubles: string[] = [];
    old.onTrouble(({ kind }) => troubles.push(kind));
    await old.query('create table data.said (text text)');
    await write(old, 'in its time');
    // So that there is a session beside the one of the transaction.
    await Promise.all([old.query('select pg_sleep(0.05)'), old.query('select pg_sleep(0.05)')]);
    const open = old.database.transact(async (sql) => {
      await sql.change('insert into data.said values ($1)', ['in a transaction that was open']);
      await sql.rows('select pg_sleep(600)');
    });
    open.catch(() => undefined);
    await expect
      .poll(
        async () =>
          (
            await owner.query(
              "select 1 from pg_stat_activity where query ~ 'sleep.600' and pid <> pg_backend_pid()",
            )
          ).length,
      )
      .toBe(1);

    const next = await seat('next');
    const second = await next.claim(await next.look());
    // Not over yet: what is still open may write. Whoever did not wait for its end would read too early.
    await write(old, 'between claim and end');
    await next.endOlderTerms(second as number);
    const fresh = await openStore({ url, term: second }, () => undefined);
    await expect(write(old, 'too late')).rejects.toMatchObject({ code: 'taken-over' });
    await expect(open).rejects.toMatchObject({ code: 'taken-over' });
    await expect(openStore({ url, term: first }, () => undefined)).rejects.toMatchObject({
      code: 'taken-over',
    });
    expect(troubles).toContain('taken-over');
    await write(fresh, 'of the next');
    expect(await fresh.query('select text from data.said')).toEqual([
      { text: 'in its time' },
      { text: 'between claim and end' },
      { text: 'of the next' },
    ]);
    await old.close();
    await fresh.close();
  });
});
