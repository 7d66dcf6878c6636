/** What a form knows of the pipeline and the workspace it is in: where a value may come from but being written. */
import type { Parameter, ParameterType, ParameterValue } from '@millrace/graph';
import { createContext, useContext } from 'react';

export interface FormSurroundings {
  readonly parameters: ReadonlyMap<string, Parameter>;
  /** Declares a parameter and has the field take it, as one step. */
  readonly bindNew: (wanted: NewParameter, bind: (name: string) => void) => void;
  /** Names of the workspace's secrets; undefined while they are not known. */
  readonly secrets: readonly string[] | undefined;
  /** Where one may: asks for a secret and hands over its name once it is written. */
  readonly newSecret: ((written: (name: string) => void) => void) | undefined;
}

export interface NewParameter {
  /** Made unique. */
  readonly name: string;
  readonly type: ParameterType;
  readonly default: ParameterValue | undefined;
}

const Context = createContext<FormSurroundings>({
  parameters: new Map(),
  bindNew: () => undefined,
  secrets: undefined,
  newSecret: undefined,
});

export const FormContext = Context.Provider;
export const useFormSurroundings = (): FormSurroundings => useContext(Context);
