/**
 * Judges what an update would insert, struct by struct, before any of it touches the draft: whose it is, that it
 * goes on where that client ended, that all it refers to is there, and that it is something a draft may hold at
 * a place a draft has. After this the update cannot fail or stay pending.
 */
import * as Y from 'yjs';
import type { Roots } from '../shape/roots.ts';
import { isStored } from '../shape/stored.ts';
import { CODES, isEntityId, isEntityTable, STAMP } from '../shape/tables.ts';
import { RESYNC, refused, type UpdateFault } from './fault.ts';
import { isMap, isText, type Place, placeInside, placeOfItem, rootPlace, samePlace } from './place.ts';

type Struct = Y.Item | Y.GC | Y.Skip;

/** The structs of one client, in order, and how many are judged. */
interface Run {
  readonly client: number;
  readonly items: readonly Y.Item[];
  readonly places: Place[];
  judged: number;
}

/** Entities of one table; beyond it somebody is filling the disk. */
const MAX_ENTITIES = 50_000;
const MAX_KEY = 200;
const MAX_TEXT = 4 * 1024 * 1024;

export function checkStructs(
  roots: Roots,
  structs: readonly Struct[],
  clientIds: ReadonlySet<number>,
): UpdateFault | undefined {
  const runs = runsOf(roots, structs, clientIds);
  if (!(runs instanceof Map)) return runs;
  // A user's runs may refer to each other (a tab of before and one of now): go on where the next can be judged.
  for (let progress = true; progress; ) {
    progress = false;
    for (const run of runs.values()) {
      while (run.judged < run.items.length) {
        const outcome = judge(roots, runs, run, run.items[run.judged] as Y.Item);
        if (outcome === 'waits') break;
        if ('fault' in outcome) return outcome.fault;
        run.places.push(outcome.place);
        run.judged++;
        progress = true;
      }
    }
  }
  return [...runs.values()].every((run) => run.judged === run.items.length) ? undefined : RESYNC;
}

function runsOf(
  roots: Roots,
  structs: readonly Struct[],
  clientIds: ReadonlySet<number>,
): Map<number, Run> | UpdateFault {
  const runs = new Map<number, Y.Item[]>();
  let last: number | undefined;
  for (const struct of structs) {
    const { client, clock } = struct.id;
    if (!clientIds.has(client)) {
      return refused(
        'foreign-client',
        'the update holds edits under an id that was not issued to the sender',
      );
    }
    if (!(struct instanceof Y.Item)) return refused('malformed', 'the update holds no edits but gaps');
    let items = runs.get(client);
    if (items === undefined) {
      if (clock !== Y.getState(roots.doc.store, client)) return RESYNC;
      items = [];
      runs.set(client, items);
    } else {
      const before = items.at(-1) as Y.Item;
      const goesOn = last === client && before.id.clock + before.length === clock;
      if (!goesOn) return refused('malformed', 'the update holds one client in several parts');
    }
    items.push(struct);
    last = client;
  }
  return new Map([...runs].map(([client, items]) => [client, { client, items, places: [], judged: 0 }]));
}

type Judgement = { readonly place: Place } | { readonly fault: UpdateFault } | 'waits';

function judge(roots: Roots, runs: ReadonlyMap<number, Run>, run: Run, item: Y.Item): Judgement {
  const place = placeOf(roots, runs, run, item);
  if (place === 'waits' || place === 'missing') return place === 'waits' ? 'waits' : { fault: RESYNC };
  const fault =
    place === undefined
      ? refused('wrong-place', 'the update writes to a place a draft does not have')
      : contentFault(roots, place, item);
  return fault === undefined ? { place: place as Place } : { fault };
}

type Found = Place | 'waits' | 'missing' | undefined;

/** Named by its parent, or the list its neighbours are in; both neighbours in one list. */
function placeOf(roots: Roots, runs: ReadonlyMap<number, Run>, run: Run, item: Y.Item): Found {
  const neighbours = [item.origin, item.rightOrigin].filter((id) => id !== null);
  const found: Place[] = [];
  for (const id of neighbours) {
    const place = lookUp(roots, runs, run, id)?.place;
    if (place === 'waits' || place === 'missing' || place === undefined) return place;
    found.push(place);
  }
  const [first, second] = found;
  if (first !== undefined) return second === undefined || samePlace(first, second) ? first : undefined;
  // A decoded struct names a root by its name, another parent by the id of its struct.
  const parent = item.parent as unknown;
  if (typeof parent === 'string') return rootPlace(parent, item.parentSub);
  if (!(parent instanceof Y.ID)) return undefined;
  const holder = lookUp(roots, runs, run, parent);
  if (holder?.place === 'waits' || holder?.place === 'missing') return holder.place;
  if (holder?.place === undefined || !(holder.content instanceof Y.ContentType)) return undefined;
  return placeInside(holder.place, holder.content.type, item.parentSub);
}

function lookUp(
  roots: Roots,
  runs: ReadonlyMap<number, Run>,
  from: Run,
  id: Y.ID,
): { readonly place: Found; readonly content?: unknown } | undefined {
  if (id.clock < Y.getState(roots.doc.store, id.client)) {
    const item = Y.getItem(roots.doc.store, id);
    return item instanceof Y.Item
      ? { place: placeOfItem(roots, item), content: item.content }
      : { place: undefined };
  }
  const run = runs.get(id.client);
  if (run === undefined) return { place: 'missing' };
  const index = indexOf(run.items, id.clock);
  if (index === undefined) return { place: 'missing' };
  // A struct that refers to itself or to a later one of its own client would never be done.
  if (index >= run.judged) return { place: run === from ? undefined : 'waits' };
  return { place: run.places[index], content: run.items[index]?.content };
}

function indexOf(items: readonly Y.Item[], clock: number): number | undefined {
  let [low, high] = [0, items.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const item = items[middle] as Y.Item;
    if (clock < item.id.clock) high = middle - 1;
    else if (clock >= item.id.clock + item.length) low = middle + 1;
    else return middle;
  }
  return undefined;
}

function contentFault(roots: Roots, place: Place, item: Y.Item): UpdateFault | undefined {
  switch (place.kind) {
    case 'text':
      return textFault(roots, place.code, item);
    case 'field':
      return keyFault(place.key, item) ?? valueFault(item);
    case 'root':
      return rootFault(roots, place, item);
  }
}

function rootFault(
  roots: Roots,
  { root, key }: Place & { kind: 'root' },
  item: Y.Item,
): UpdateFault | undefined {
  if (root === STAMP) return refused('stamp', 'only the server writes the form and epoch of a draft');
  if (root === 'settings') return keyFault(key, item) ?? valueFault(item);
  if (root !== CODES && !isEntityTable(root)) {
    return refused('wrong-place', 'the update writes to a table a draft does not have');
  }
  if (!isEntityId(root, key))
    return refused('wrong-place', 'the update makes an entity under an impossible id');
  const isRight =
    item.content instanceof Y.ContentType &&
    (root === CODES ? isText(item.content.type) : isMap(item.content.type));
  if (!isRight) return refused('wrong-content', 'the update puts something else where an entity belongs');
  if (item.origin !== null || item.rightOrigin !== null) {
    return refused('replaces-entity', 'the update replaces an entity; its fields are to be edited');
  }
  const map = root === CODES ? roots.codes : roots.tables[root];
  return map._map.size < MAX_ENTITIES ? undefined : refused('too-many', `the draft has too many ${root}`);
}

/** The last value of a key is what comes last in its list; a right neighbour would let a peer write history. */
function keyFault(key: string, item: Y.Item): UpdateFault | undefined {
  const isKey = key !== '' && key.length <= MAX_KEY && key !== '__proto__' && item.rightOrigin === null;
  return isKey ? undefined : refused('wrong-place', 'the update writes a field that cannot be');
}

function valueFault({ content }: Y.Item): UpdateFault | undefined {
  const isRight = content instanceof Y.ContentAny && content.arr.length > 0 && content.arr.every(isStored);
  return isRight
    ? undefined
    : refused('wrong-content', 'the update sets a field to something that is no value');
}

function textFault(roots: Roots, code: string, { content }: Y.Item): UpdateFault | undefined {
  if (!(content instanceof Y.ContentString) || content.str.includes('\r')) {
    return refused('wrong-content', 'the update puts something else than text with LF into code');
  }
  const text = roots.codes.get(code);
  const length = (text instanceof Y.Text ? text.length : 0) + content.str.length;
  return length <= MAX_TEXT
    ? undefined
    : refused('too-large', 'the code would have more than 4 Mi characters');
}
