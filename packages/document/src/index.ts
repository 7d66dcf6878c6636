export {
  copySelection,
  readSelection,
  type Selected,
  type Selection,
  selectionText,
} from './clipboard/selection.ts';
export { type Applied, applyCommand, type CommandOptions } from './commands/apply-command.ts';
export type { Command, CommandKind, Switch } from './commands/command.ts';
export type { Refusal } from './commands/decision.ts';
export { MAX_CODE } from './commands/files.ts';
export { type RenewOptions, renewDocument } from './folder/renew-document.ts';
export { type SeedOptions, seedDocument } from './folder/seed-document.ts';
export { filesOf, toFolder } from './folder/to-folder.ts';
export type { ConnectionFault } from './hints/connection-fault.ts';
export { type ConnectionHint, connectionHints, type DragEnd, portsOf } from './hints/connection-hints.ts';
export { EMPTY_HISTORY, type History, type HistoryEntry } from './history/history.ts';
export { readHistory } from './history/read-history.ts';
export { type Recorded, record } from './history/record.ts';
export { type NothingToStep, redo, type Stepped, undo } from './history/undo.ts';
export type { Point } from './read/entity.ts';
export type { Group, Layout, Note, Placement, Reading, SharedFile } from './read/reading.ts';
export { type EditedApart, editApart } from './relay/edit-apart.ts';
export { encodeDocument, mergeUpdates } from './relay/encoded.ts';
export type { RefusalCode, UpdateFault } from './relay/fault.ts';
export { issueClientId, SERVER_CLIENT_ID } from './relay/issue-client-id.ts';
export { MAX_DRAFT, MAX_UPDATE, openShadow, type Sender, type Shadow, type Taken } from './relay/shadow.ts';
export { openDocument, type PipelineDocument } from './shape/open-document.ts';
export { emptyDoc } from './shape/roots.ts';
export type { Json } from './shape/stored.ts';
export { captureTextChanges } from './text/capture-text-changes.ts';
export type { DeletedPiece, IdRange } from './text/id-ranges.ts';
export type { Change, FieldChange, TextChange } from './write/change.ts';
export type { Splice } from './write/edit.ts';
export { COMMAND } from './write/write-edits.ts';
