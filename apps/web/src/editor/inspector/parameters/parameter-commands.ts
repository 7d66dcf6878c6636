/** What changing the parameters of a pipeline means for the settings that take them. Pure. */
import type { Command } from '@millrace/document';
import { applyParameters, type Node, type Parameter, type Pipeline, parameterOf } from '@millrace/graph';

/** Nodes with a setting that takes the parameter. */
export function takersOf(pipeline: Pipeline, parameter: string): readonly Node[] {
  return [...pipeline.nodes.values()].filter(({ config }) =>
    applyParameters(config, {}).unknown.some((reference) => reference.parameter === parameter),
  );
}

/** The parameter under another name, in its settings too. Code that reads it is told by its type check. */
export function renamedParameter(pipeline: Pipeline, from: string, to: string): readonly Command[] {
  const parameter = pipeline.parameters.get(from);
  if (parameter === undefined || from === to) return [];
  const settings = takersOf(pipeline, from).flatMap(({ id, config }) =>
    Object.entries(config).flatMap(([setting, value]): Command[] => {
      const renamed = renamedIn(value, from, to);
      return renamed === value ? [] : [{ kind: 'set-setting', node: id, setting, value: renamed }];
    }),
  );
  return [declared(to, parameter), ...settings, { kind: 'delete-parameter', parameter: from }];
}

export function declared(name: string, parameter: Parameter): Command {
  return {
    kind: 'set-parameter',
    parameter: name,
    type: parameter.type,
    ...(parameter.default === undefined ? {} : { default: parameter.default }),
    ...(parameter.description === undefined ? {} : { description: parameter.description }),
  };
}

export function freeName(taken: { has(name: string): boolean }, base: string): string {
  let name = base;
  for (let n = 2; taken.has(name); n++) name = `${base}${n}`;
  return name;
}

/** The same value where nothing in it takes the parameter. */
function renamedIn(value: unknown, from: string, to: string): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (parameterOf(value) === from) return { param: to };
  if (Array.isArray(value)) {
    const items = value.map((item) => renamedIn(item, from, to));
    return items.every((item, i) => item === value[i]) ? value : items;
  }
  const entries = Object.entries(value).map(([key, member]) => [key, renamedIn(member, from, to)] as const);
  const isSame = entries.every(([key, member]) => member === (value as Record<string, unknown>)[key]);
  return isSame ? value : Object.fromEntries(entries);
}
