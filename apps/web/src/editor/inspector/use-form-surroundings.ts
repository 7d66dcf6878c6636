/** Parameters of the pipeline and secrets of the workspace, for the forms of the inspector. */
import { useCallback, useMemo, useState } from 'react';
import { call } from '../../api/call.ts';
import { useLoad } from '../../api/use-load.ts';
import { useMay } from '../../shell/session-store.ts';
import { useEditor, useReading } from '../editor-context.tsx';
import { asOneStep } from '../gesture.ts';
import type { FormSurroundings } from './form/form-context.tsx';
import { declared, freeName } from './parameters/parameter-commands.ts';

export interface InspectorSurroundings {
  readonly surroundings: FormSurroundings;
  /** Set while a secret is being written: who waits for its name. */
  readonly waiting: ((name: string) => void) | undefined;
  /** Without a name: none was written. */
  readonly written: (name?: string) => void;
}

export function useFormSurroundings(): InspectorSurroundings {
  const { actions, canEdit } = useEditor();
  const { parameters } = useReading().pipeline;
  const mayAdd = useMay('settings.manage');
  const names = useLoad(
    useCallback(
      async (signal: AbortSignal) => (canEdit ? (await call('secrets.names', { signal })).names : []),
      [canEdit],
    ),
  );
  const [waiting, setWaiting] = useState<(name: string) => void>();
  const secrets = names.kind === 'ready' ? names.value : undefined;
  const surroundings = useMemo(
    (): FormSurroundings => ({
      parameters,
      bindNew: (wanted, bind) =>
        asOneStep((gesture) => {
          const name = freeName(parameters, wanted.name);
          const parameter = { type: wanted.type, default: wanted.default, description: undefined };
          if (actions.run(declared(name, parameter), gesture)) bind(name);
        }),
      secrets,
      newSecret: mayAdd ? (then) => setWaiting(() => then) : undefined,
    }),
    [parameters, actions, secrets, mayAdd],
  );
  return {
    surroundings,
    waiting,
    written: (name) => {
      if (name !== undefined) {
        names.reload();
        waiting?.(name);
      }
      setWaiting(undefined);
    },
  };
}
