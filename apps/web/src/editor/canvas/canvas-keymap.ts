/** The canvas's keys as this person has them: kept in this browser. */
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { keysOfPress, type Pressed } from '../../shell/match-keys.ts';
import { CANVAS_KEYS, type CanvasAction } from './canvas-keys.ts';

type Own = Readonly<Partial<Record<CanvasAction, string>>>;

const KEY = 'canvas-keys';

export const keymapStore = createStore<{ readonly own: Own }>(() => ({ own: stored() }));

/** The keys of an action as `Kbd` shows them; undefined where it has none. */
export const keysOf = (action: CanvasAction, own: Own = keymapStore.getState().own): string | undefined =>
  own[action] ?? usualKeys(action)[0];

const usualKeys = (action: CanvasAction): readonly string[] =>
  Object.keys(CANVAS_KEYS).filter((keys) => CANVAS_KEYS[keys] === action);

export const useKeysOf = (action: CanvasAction | undefined): string | undefined => {
  const own = useStore(keymapStore, (state) => state.own);
  return action === undefined ? undefined : keysOf(action, own);
};

/** What a press does: a key one has given away oneself does nothing else any more. */
export function actionFor(press: Pressed, own: Own = keymapStore.getState().own): CanvasAction | undefined {
  const keys = keysOfPress(press);
  for (const [action, mine] of Object.entries(own)) if (mine === keys) return action as CanvasAction;
  const usual = CANVAS_KEYS[keys];
  return usual !== undefined && own[usual] === undefined ? usual : undefined;
}

/** Without `keys` the usual ones. Gives the other action that has them, and then changes nothing. */
export function setKeys(action: CanvasAction, keys: string | undefined): CanvasAction | undefined {
  const { own } = keymapStore.getState();
  const usual = usualKeys(action);
  const wanted = keys === undefined ? usual : [keys];
  const holder = [...new Set(Object.values(CANVAS_KEYS))].find(
    (other) =>
      other !== action &&
      (own[other] === undefined ? usualKeys(other) : [own[other]]).some((one) => wanted.includes(one)),
  );
  if (holder !== undefined) return holder;
  const { [action]: _, ...others } = own;
  const next: Own = keys === undefined || usual.includes(keys) ? others : { ...others, [action]: keys };
  keymapStore.setState({ own: next });
  try {
    localStorage.setItem(KEY, JSON.stringify(next));
  } catch {
    // Without storage the keys are the usual ones at the next visit.
  }
  return undefined;
}

function stored(): Own {
  try {
    const value = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, unknown>;
    const known = new Set<string>(Object.values(CANVAS_KEYS));
    return Object.fromEntries(
      Object.entries(value).filter(([action, keys]) => known.has(action) && typeof keys === 'string'),
    ) as Own;
  } catch {
    return {};
  }
}
