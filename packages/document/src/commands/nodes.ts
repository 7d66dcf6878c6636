/** Adding, naming and setting nodes. */
import type { Node, NodeTypeSpec } from '@millrace/graph';
import { codePathFor } from '../folder/file-paths.ts';
import { nextName } from '../read/normalise.ts';
import { toStored, wellFormed } from '../shape/stored.ts';
import { CONFIG } from '../shape/tables.ts';
import type { Edit } from '../write/edit.ts';
import { fields, nodeFields } from '../write/entity-fields.ts';
import type { NodeCommand } from './command.ts';
import { type Decision, decided, nameFault, noNode, refuse, type Scene, set, setValue } from './decision.ts';

type Of<K extends NodeCommand['kind']> = Extract<NodeCommand, { kind: K }>;

/** More than this no one can look at, and no page can draw. */
const MAX_NODES = 5_000;

export function addNode(scene: Scene, command: Of<'add-node'>): Decision {
  const { types, reading } = scene;
  const spec = types?.get(command.type);
  if (command.type === '' || (types !== undefined && spec === undefined)) {
    return refuse('unknown-type', `there is no node of the type '${command.type.slice(0, 80)}'`);
  }
  if (reading.pipeline.nodes.size >= MAX_NODES) {
    return refuse('too-many', `a pipeline has at most ${MAX_NODES} nodes; split it`);
  }
  const name = freeName(command.name ?? defaultName(command.type, spec), takenNames(scene));
  const fault = nameFault(name) ?? configFault(command.config ?? {});
  if (fault !== undefined) return fault;
  const id = scene.mint('n');
  const code = command.type === 'code' ? codePathFor(name, takenPaths(scene)) : undefined;
  const node = plainNode({ type: command.type, name, code, config: command.config ?? {} });
  const edits: Edit[] = [
    { kind: 'create', table: 'nodes', id, fields: nodeFields(node) },
    { kind: 'create', table: 'layout', id, fields: fields({ at: command.at }) },
  ];
  if (code !== undefined) edits.push({ kind: 'create-text', code: id, text: command.text ?? '' });
  return decided(edits, [id]);
}

export function plainNode(given: Pick<Node, 'type' | 'name' | 'code' | 'config'>): Omit<Node, 'id'> {
  return { ...given, exactlyOnce: true, productions: 'strong', idempotent: false };
}

export function renameNode({ reading }: Scene, command: Of<'rename-node'>): Decision {
  const node = reading.pipeline.nodes.get(command.node);
  if (node === undefined) return noNode(command.node);
  const name = command.name.trim();
  const fault = nameFault(name);
  if (fault !== undefined) return fault;
  const owner = [...reading.pipeline.nodes.values()].find((other) => other.name.trim() === name);
  if (owner !== undefined && owner.id !== node.id) {
    return refuse('name-taken', `another node is called '${name}'; choose a different name`);
  }
  return decided([setValue('nodes', node.id, 'name', name)]);
}

export function setSetting({ reading }: Scene, command: Of<'set-setting'>): Decision {
  if (!reading.pipeline.nodes.has(command.node)) return noNode(command.node);
  const value = command.value === undefined ? undefined : toStored(command.value);
  const fault = configFault({ [command.setting]: command.value ?? null });
  if (fault !== undefined) return fault;
  return decided([set('nodes', command.node, CONFIG + command.setting, value)]);
}

export function setSwitch({ reading }: Scene, command: Of<'set-switch'>): Decision {
  if (!reading.pipeline.nodes.has(command.node)) return noNode(command.node);
  const [field, value] = {
    exactlyOnce: ['exactlyOnce', command.on ? undefined : false] as const,
    strong: ['productions', command.on ? undefined : 'weak'] as const,
    idempotent: ['idempotent', command.on ? true : undefined] as const,
  }[command.switch];
  return decided([set('nodes', command.node, field, value)]);
}

export function turnIntoCode(scene: Scene, command: Of<'turn-into-code'>): Decision {
  const node = scene.reading.pipeline.nodes.get(command.node);
  if (node === undefined) return noNode(command.node);
  if (node.type === 'code') return refuse('is-code', `'${node.name}' is code already`);
  if (!node.type.startsWith('operator/')) {
    return refuse('no-operator', `'${node.name}' is a connector; only operators can be turned into code`);
  }
  const removed = Object.keys(node.config).map((key) => set('nodes', node.id, CONFIG + key, undefined));
  const text = scene.document.code(node.id);
  const code = node.code ?? codePathFor(node.name, takenPaths(scene));
  const write: Edit =
    text === undefined
      ? { kind: 'create-text', code: node.id, text: command.text }
      : {
          kind: 'splice-text',
          code: node.id,
          splices: [{ at: 0, remove: text.length, insert: command.text }],
        };
  return decided([
    setValue('nodes', node.id, 'type', 'code'),
    setValue('nodes', node.id, 'code', code),
    ...removed,
    write,
  ]);
}

/** A setting's name and value must survive the way to other peers and into a file. */
export function configFault(config: Readonly<Record<string, unknown>>): Decision | undefined {
  for (const [name, value] of Object.entries(config)) {
    if (name === '' || name === '__proto__' || name.length > 200 || wellFormed(name) !== name) {
      return refuse('bad-setting', `'${name.slice(0, 80)}' cannot be the name of a setting`);
    }
    if (value !== undefined && toStored(value) === undefined) {
      return refuse('bad-setting', `the setting '${name}' is no JSON or longer than 200,000 characters`);
    }
  }
  return undefined;
}

export function takenNames({ reading }: Scene): Set<string> {
  return new Set([...reading.pipeline.nodes.values()].map(({ name }) => name.trim()));
}

export function takenPaths({ reading }: Scene): Set<string> {
  const paths = new Set([...reading.files.values()].map(({ path }) => path.toLowerCase()));
  for (const { code } of reading.pipeline.nodes.values())
    if (code !== undefined) paths.add(code.toLowerCase());
  return paths;
}

export function freeName(wanted: string, taken: ReadonlySet<string>): string {
  const name = wanted.trim();
  return taken.has(name) ? nextName(name, taken) : name;
}

function defaultName(type: string, spec: NodeTypeSpec | undefined): string {
  return spec?.title.toLowerCase() ?? type.split('/').at(-1) ?? type;
}
