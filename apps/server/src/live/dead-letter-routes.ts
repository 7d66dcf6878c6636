/** Dead letters over HTTP: to look at, to deliver again, to forget. */
import {
  countDeadLetters,
  type DeadLetterEntry,
  type Discarded,
  discardDeadLetters,
  getDeadLetter,
  groupDeadLetters,
  listDeadLetters,
  MOST_DISCARDED,
  type Store,
} from '@millrace/store';
import { audit } from '../accounts/account-services.ts';
import { decodeCursor, encodeCursor, pageFrom } from '../http/cursor.ts';
import type { Bind, Call } from '../http/handler.ts';
import { notFound } from '../http/problem.ts';
import { answered, visible } from './host-answers.ts';
import type { LiveContext } from './live-feature.ts';

/** Of a list; the whole input is shown when one letter is looked at. */
const INPUT_SHOWN = 2_000;

export function bindDeadLetters(bind: Bind, context: LiveContext): void {
  const { database } = context.store;
  bind('dead-letters.list', async (call) => {
    await visible(context, call);
    const { cursor, limit, node, group } = call.query;
    const before = decodeCursor(cursor, ['number'])?.[0];
    const filter = { before, limit: limit + 1, node, group };
    const rows = await listDeadLetters(database, call.params.pipeline, filter);
    const page = pageFrom(rows, limit, ({ number }) => [number]);
    return { ...page, items: page.items.map(inList) };
  });
  bind('dead-letters.groups', async (call) => {
    await visible(context, call);
    const groups = await groupDeadLetters(database, call.params.pipeline, call.query.node);
    return {
      items: groups.map(({ group, place, newestAt, oldestAt, ...rest }) => ({
        ...rest,
        group: group ?? null,
        place: place ?? null,
        newestAt: newestAt.getTime(),
        oldestAt: oldestAt.getTime(),
      })),
    };
  });
  bind('dead-letters.counts', async (call) => {
    await visible(context, call);
    return { nodes: Object.fromEntries(await countDeadLetters(database, call.params.pipeline)) };
  });
  bind('dead-letters.get', async (call) => {
    await visible(context, call);
    const letter = await getDeadLetter(database, call.params.pipeline, call.params.number);
    return letter === undefined ? notFound('dead letter') : whole(letter);
  });
  bind('dead-letters.redrive', (call) => redrive(context, call));
  bind('dead-letters.discard', async (call) => {
    await visible(context, call);
    return { discarded: await discard(context.store, call) };
  });
}

async function redrive({ source, store }: LiveContext, call: Call<'dead-letters.redrive'>) {
  await visible({ store }, call);
  const { params, body, actor } = call;
  const [above, upTo] = 'group' in body ? (decodeCursor(body.cursor, ['number', 'number']) ?? [0]) : [0];
  // In front of it: what it does is never without a trace of who did it.
  await audit(store.database, actor, {
    action: 'dead-letters.redriven',
    target: params.pipeline,
    detail: 'group' in body ? { group: body.group } : { letters: body.letters.length },
  });
  const { next, ...answer } = answered(
    await source.request('redrive', {
      pipeline: params.pipeline,
      choice: 'group' in body ? { group: body.group, above, upTo } : { numbers: body.letters },
    }),
  );
  return { ...answer, next: next === undefined ? null : encodeCursor([next.above, next.upTo]) };
}

async function discard(
  { database }: Pick<Store, 'database'>,
  { params: { pipeline }, body, actor }: Call<'dead-letters.discard'>,
): Promise<number> {
  const [newest] = await listDeadLetters(database, pipeline, { limit: 1 });
  const what: Discarded =
    'letters' in body ? { numbers: body.letters } : { ...body, upTo: newest?.number ?? 0 };
  const asked = 'letters' in body ? { letters: body.letters.length } : { group: body.group };
  let discarded = 0;
  for (;;) {
    const gone = await database.transact(async (sql) => {
      const count = await discardDeadLetters(sql, pipeline, what);
      if (count > 0)
        await audit(sql, actor, {
          action: 'dead-letters.discarded',
          target: pipeline,
          detail: { ...asked, discarded: count },
        });
      return count;
    });
    discarded += gone;
    if ('numbers' in what || gone < MOST_DISCARDED) return discarded;
  }
}

function inList(letter: DeadLetterEntry) {
  const { stack: _stack, state: _state, ...shown } = whole(letter);
  const { input } = shown;
  return { ...shown, input: input.slice(0, INPUT_SHOWN), inputCut: input.length > INPUT_SHOWN };
}

function whole({ recordedAt, group, key, timestamp, state, ...letter }: DeadLetterEntry) {
  return {
    ...letter,
    inputCut: false,
    recordedAt: recordedAt.getTime(),
    group: group ?? null,
    key: key ?? null,
    timestamp: timestamp ?? null,
    state: state ?? null,
  };
}
