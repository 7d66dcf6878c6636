/** Where in pipeline.json the setting stands that a control writes: forms lie in forms. */
import type { JsonPath } from '@millrace/graph';
import { createContext, type ReactNode, useContext, useMemo } from 'react';

const Context = createContext<JsonPath | undefined>(undefined);

/** Undefined outside a form of the pipeline. */
export const useSettingPath = (): JsonPath | undefined => useContext(Context);

/** Begins a form: its settings stand at `path`. */
export function SettingsAt({ path, children }: { readonly path: JsonPath; readonly children: ReactNode }) {
  const key = path.join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same words are the same path
  const same = useMemo(() => path, [key]);
  return <Context value={same}>{children}</Context>;
}

/** One step further in. */
export function SettingIn({
  name,
  children,
}: {
  readonly name: string | number;
  readonly children: ReactNode;
}) {
  const outer = useSettingPath();
  const path = useMemo(() => outer && [...outer, name], [outer, name]);
  return <Context value={path}>{children}</Context>;
}
