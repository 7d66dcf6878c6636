/** Which panes are open and how large: kept in this browser. */
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { DrawerTab } from './code/open-code.ts';

export interface Panes {
  readonly left: boolean;
  readonly leftWidth: number;
  readonly leftTab: 'palette' | 'outline';
  readonly right: boolean;
  readonly rightWidth: number;
  /** Of a computation. */
  readonly rightTab: 'settings' | 'state' | 'tests';
  readonly bottom: boolean;
  readonly bottomHeight: number;
  /** Of a drawer that has no code open. */
  readonly drawerTab: Exclude<DrawerTab, 'code'>;
  readonly map: boolean;
  /** Beside the code. */
  readonly tryIt: boolean;
}

const KEY = 'editor-panes';
/** On a small screen the canvas is left more of it. */
const isSmall = innerWidth < 1440;
const DEFAULT: Panes = {
  left: true,
  leftWidth: isSmall ? 192 : 216,
  leftTab: 'palette',
  right: true,
  rightWidth: isSmall ? 288 : 328,
  rightTab: 'settings',
  bottom: false,
  bottomHeight: 176,
  drawerTab: 'problems',
  map: false,
  tryIt: false,
};

export const panesStore = createStore<Panes>(() => ({ ...DEFAULT, ...stored() }));

export function setPanes(panes: Partial<Panes>): void {
  panesStore.setState(panes);
  try {
    localStorage.setItem(KEY, JSON.stringify(panesStore.getState()));
  } catch {
    // Without storage the panes are as they were at the next visit.
  }
}

export const usePanes = (): Panes => useStore(panesStore);

function stored(): Partial<Panes> {
  try {
    const value = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, unknown>;
    const known = Object.entries(DEFAULT).filter(([name, usual]) => typeof value[name] === typeof usual);
    return Object.fromEntries(known.map(([name]) => [name, value[name]]));
  } catch {
    return {};
  }
}
