export { ByteReader, MalformedBytes } from './bytes/byte-reader.ts';
export { ByteWriter } from './bytes/byte-writer.ts';
export { decodeText } from './bytes/text-codec.ts';
export { decodeValue, encodeValue } from './bytes/value-codec.ts';
export type {
  Chunk,
  DeliveredBatch,
  FetchResult,
  HostFrame,
  IngestSettings,
  PostedFormat,
  PostedRequest,
  SourceAssignment,
  StoreEntry,
  WorkerConfiguration,
  WorkerFaults,
} from './frames/host-frames.ts';
export { decodeHostFrame, encodeHostFrame } from './frames/host-frames.ts';
export type {
  InheritedWatermarks,
  IntervalChange,
  IntervalState,
  IntervalTable,
  MovedKeys,
} from './frames/interval-change.ts';
export { AWAY_SLOT, HASH_END } from './frames/interval-change.ts';
export { MOST_SUSPECTS } from './frames/most-suspects.ts';
export type {
  SampledRecord,
  TapAncestor,
  TapLimits,
  TapRecord,
  TapSample,
  TapTimer,
} from './frames/tap-records.ts';
export { TAP_BOUNDS } from './frames/tap-records.ts';
export type { Watermark } from './frames/watermark-table.ts';
export { decodeWatermark, ENDED, encodeWatermark, NOT_YET, sameWatermark } from './frames/watermark-table.ts';
export type {
  DueScan,
  HotKeyReport,
  LogLine,
  PrefixScan,
  WorkerFrame,
  WorkerStatus,
} from './frames/worker-frames.ts';
export { decodeWorkerFrame, encodeWorkerFrame } from './frames/worker-frames.ts';
export type { Batch, BundleBody, Change } from './log/bundle-body.ts';
export {
  BODY_FORMAT,
  BundleBodyWriter,
  forEachChange,
  readBundleBody,
  SINK_SLOT,
  walkChanges,
  withoutBatches,
} from './log/bundle-body.ts';
export { ChangeCursor, compareRanges } from './log/change-cursor.ts';
export type { StoredPane, StoredRecord, StoredSinkRow } from './log/record-codec.ts';
export {
  decodeRecord,
  decodeSinkRow,
  encodeRecord,
  encodeSinkRow,
  openSinkText,
  sinkTextIn,
} from './log/record-codec.ts';
export type { Redrivable, SourcePiece, TimerPiece } from './log/redrivable.ts';
export {
  checkRedrivable,
  decodeSourcePiece,
  decodeTimerPiece,
  encodeSourcePiece,
  encodeTimerPiece,
  LARGEST_REDRIVABLE,
  OUTSIDE,
} from './log/redrivable.ts';
export type { Rejection, RememberedRequest, RequestAnswer, RequestProgress } from './log/request-entry.ts';
export {
  decodeProgress,
  decodeRemembered,
  encodeProgress,
  encodeRemembered,
  LONGEST_REASON,
  MOST_REJECTIONS,
} from './log/request-entry.ts';
export type { SourceMark } from './log/source-mark.ts';
export { decodeSourceMark, encodeSourceMark } from './log/source-mark.ts';
export type { DueKey, KeyHash, SpaceKind, StateEntryKey } from './log/store-keys.ts';
export {
  compareBytes,
  DUE_HEAD,
  dueFrom,
  dueHigh,
  dueSpaceOf,
  hashStart,
  keyPrefix,
  META_SPACE,
  mapEntryKey,
  mapPrefix,
  metaKeys,
  parkedKey,
  readDueKey,
  readKeyPrefix,
  readParkedSequence,
  readRequestTimeKey,
  readStateKey,
  requestKey,
  requestMinute,
  requestTimeKey,
  SPACE_KINDS,
  slotOf,
  slotStart,
  spaceOf,
  startsWith,
  stateKey,
  writeDueHead,
  writeFarTimerTail,
  writeKeyPrefix,
  writeMapEntryTail,
  writeStateTail,
} from './log/store-keys.ts';
export type { FreshReading, TableMemory, TableStanding } from './log/table-standing.ts';
export { MOST_FRESH_READINGS } from './log/table-standing.ts';
