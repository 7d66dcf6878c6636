/** What of a pipeline is shown, as it stands in the address: `?v=5` a version, `?compare=3..draft` what differs. */
import { useMemo } from 'react';
import { type NavigateFunction, useLocation, useNavigate } from 'react-router';

/** A version's number, or the draft. */
export type Side = number | 'draft';

export interface Shown {
  /** Undefined: the draft. */
  readonly version: number | undefined;
  readonly compare: { readonly from: Side; readonly to: Side } | undefined;
}

export function readShown(search: string): Shown {
  const asked = new URLSearchParams(search);
  const [from, to] = (asked.get('compare') ?? '').split('..').map(sideOf);
  const version = sideOf(asked.get('v') ?? '');
  return {
    version: version === 'draft' ? undefined : version,
    compare: from === undefined || to === undefined ? undefined : { from, to },
  };
}

/** `search` with another thing shown; what else stands there, such as the selected node, stays. */
export function writeShown(search: string, { version, compare }: Partial<Shown>): string {
  const next = new URLSearchParams(search);
  next.delete('v');
  next.delete('compare');
  if (version !== undefined) next.set('v', String(version));
  if (compare !== undefined) next.set('compare', `${compare.from}..${compare.to}`);
  const text = next.toString();
  return text === '' ? '' : `?${text}`;
}

function sideOf(text: string): Side | undefined {
  if (text === 'draft') return text;
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}

export function useShown(): Shown {
  const { search } = useLocation();
  return useMemo(() => readShown(search), [search]);
}

/** Leads to a line of a version's code, `nodes/parse.ts:4:11`. */
export function useShowCode(): (version: number, place: string) => void {
  const navigate: NavigateFunction = useNavigate();
  return (version, place) => {
    const asked = new URLSearchParams(writeShown(location.search, { version }));
    asked.set('code', place);
    void navigate({ pathname: location.pathname, search: `?${asked}` });
  };
}

export interface ShowOptions {
  /** A change within a view is no step back of its own. */
  readonly replace?: boolean;
}

/** Goes to what is to be shown. */
export function useShow(): (shown: Partial<Shown>, options?: ShowOptions) => void {
  const navigate: NavigateFunction = useNavigate();
  return (shown, { replace = false } = {}) => {
    // Not the router's: the editor keeps the selected node in the address without asking it.
    const search = writeShown(location.search, shown);
    void navigate({ pathname: location.pathname, search }, { replace });
  };
}
