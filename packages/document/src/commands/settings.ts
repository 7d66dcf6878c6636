/** The pipeline's own name and its parameters. */

import { isOfType } from '../read/read-entities.ts';
import { isGone } from '../shape/roots.ts';
import { isEntityId, SETTINGS_ID } from '../shape/tables.ts';
import { parameterFields } from '../write/entity-fields.ts';
import type { SettingsCommand } from './command.ts';
import { type Decision, decided, nameFault, refuse, type Scene, set, setValue } from './decision.ts';
import { mark } from './delete.ts';

type Of<K extends SettingsCommand['kind']> = Extract<SettingsCommand, { kind: K }>;

export function renamePipeline(_: Scene, { name }: Of<'rename-pipeline'>): Decision {
  return nameFault(name) ?? decided([setValue('settings', SETTINGS_ID, 'name', name.trim())]);
}

export function setParameter({ document }: Scene, command: Of<'set-parameter'>): Decision {
  const { parameter, type, description } = command;
  if (!isEntityId('parameters', parameter)) {
    return refuse('bad-name', 'a parameter is named with letters, digits and _, a letter first');
  }
  if (command.default !== undefined && !isOfType(type, command.default)) {
    return refuse('bad-default', `the default of '${parameter}' is not of the type ${type}`);
  }
  const fields = parameterFields({ type, default: command.default, description });
  if (isGone(document, 'parameters', parameter)) {
    // A deleted one of that name may still hold an old default.
    const stale = ['default', 'description'].filter((field) => !fields.has(field));
    const cleared = stale.map((field) => set('parameters', parameter, field, undefined));
    return decided([...cleared, { kind: 'create', table: 'parameters', id: parameter, fields }], [parameter]);
  }
  const edits = ['type', 'default', 'description'].map((field) =>
    set('parameters', parameter, field, fields.get(field)),
  );
  return decided(edits);
}

export function deleteParameter({ reading }: Scene, { parameter }: Of<'delete-parameter'>): Decision {
  if (!reading.pipeline.parameters.has(parameter)) {
    return refuse('no-parameter', `the parameter '${parameter.slice(0, 80)}' is not there any more`);
  }
  return decided(mark('parameters', [parameter]));
}
