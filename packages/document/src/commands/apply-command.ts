/**
 * The one way to edit a draft. Decides from the document as it reads now, writes in one transaction, and hands
 * back what changed as data for the history. Never throws for what people or other peers may do.
 */
import { type IdPrefix, mintId, type NodeTypes, type Random } from '@millrace/graph';
import type { PipelineDocument } from '../shape/open-document.ts';
import type { Change } from '../write/change.ts';
import { writeEdits } from '../write/write-edits.ts';
import { applyFolder } from './apply-folder.ts';
import type { Command, CommandKind } from './command.ts';
import { type Decision, type Refusal, refuse, type Scene } from './decision.ts';
import { deleteSelection, restore } from './delete.ts';
import { addFile, deleteFiles, editCode, renameFile } from './files.ts';
import { addNote, editGroup, editNote, group, move, putIntoGroup, resize, ungroup } from './layout.ts';
import { addNode, renameNode, setSetting, setSwitch, turnIntoCode } from './nodes.ts';
import { duplicate, paste } from './paste.ts';
import { deleteParameter, renamePipeline, setParameter } from './settings.ts';
import { connect, disconnect, renameOutput, renameStream, rewire, setKeyBy, spliceNode } from './streams.ts';

export interface Applied {
  readonly kind: 'applied';
  readonly command: CommandKind;
  /** Empty where everything was as wanted already. */
  readonly changes: readonly Change[];
  /** Ids of what was made. */
  readonly made: readonly string[];
}

export interface CommandOptions {
  readonly random: Random;
  /** Without them ports and kinds are not checked. */
  readonly types?: NodeTypes;
}

type Decide = { [K in CommandKind]: (scene: Scene, command: Extract<Command, { kind: K }>) => Decision };

const DECIDE: Decide = {
  'add-node': addNode,
  'rename-node': renameNode,
  'set-setting': setSetting,
  'set-switch': setSwitch,
  'turn-into-code': turnIntoCode,
  connect,
  disconnect,
  rewire,
  'splice-node': spliceNode,
  'set-key-by': setKeyBy,
  'rename-stream': renameStream,
  'rename-output': renameOutput,
  delete: deleteSelection,
  restore,
  paste,
  duplicate,
  move,
  resize,
  'add-note': addNote,
  'edit-note': editNote,
  group,
  ungroup,
  'put-into-group': putIntoGroup,
  'edit-group': editGroup,
  'rename-pipeline': renamePipeline,
  'set-parameter': setParameter,
  'delete-parameter': deleteParameter,
  'add-file': addFile,
  'rename-file': renameFile,
  'delete-files': deleteFiles,
  'edit-code': editCode,
  'apply-folder': applyFolder,
};

export function applyCommand(
  document: PipelineDocument,
  command: Command,
  options: CommandOptions,
): Applied | Refusal {
  if (document.epoch() === undefined) {
    return refuse(
      'not-ready',
      'the draft has not arrived yet, or a newer Millrace wrote it; reload the page',
    );
  }
  const decision = decide(sceneOf(document, options), command);
  if (decision.kind === 'refused') return decision;
  const changes = writeEdits(document, decision.edits);
  return { kind: 'applied', command: command.kind, changes, made: decision.made };
}

function decide<K extends CommandKind>(scene: Scene, command: Extract<Command, { kind: K }>): Decision {
  const handler = DECIDE[command.kind as K];
  return handler(scene, command);
}

function sceneOf(document: PipelineDocument, { random, types }: CommandOptions): Scene {
  const mint = (prefix: IdPrefix): string => mintId(prefix, random);
  return { document, reading: document.read(), types, mint };
}
