/** The zone that times are shown in: the viewer's or UTC, one choice for the whole page, kept in this browser. */
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

export type TimeZone = 'local' | 'utc';

const KEY = 'millrace.time-zone';

export const timeZoneStore = createStore<{ readonly zone: TimeZone }>(() => ({ zone: stored() }));

export function setTimeZone(zone: TimeZone): void {
  timeZoneStore.setState({ zone });
  try {
    localStorage.setItem(KEY, zone);
  } catch {
    // Storage may be forbidden: then it holds until the page is closed.
  }
}

export const useTimeZone = (): TimeZone => useStore(timeZoneStore, ({ zone }) => zone);

/** Other tabs follow; gives the way to stop. */
export function followTimeZone(): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key === KEY || key === null) timeZoneStore.setState({ zone: stored() });
  };
  addEventListener('storage', onStorage);
  return () => removeEventListener('storage', onStorage);
}

function stored(): TimeZone {
  try {
    return localStorage.getItem(KEY) === 'utc' ? 'utc' : 'local';
  } catch {
    return 'local';
  }
}
