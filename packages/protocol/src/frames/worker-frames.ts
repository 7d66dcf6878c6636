/** Worker → host. The worker is not trusted: the host decodes with every length checked. */
import { ByteReader, MalformedBytes } from '../bytes/byte-reader.ts';
import { ByteWriter } from '../bytes/byte-writer.ts';
import { decodeText } from '../bytes/text-codec.ts';
import { decodeTapSamples, encodeTapSample, type TapSample } from './tap-records.ts';
import { decodeWatermark, encodeWatermark, type Watermark } from './watermark-table.ts';

export type WorkerFrame =
  | { readonly kind: 'ready' }
  /** The code could not be loaded, or the data plane itself broke. */
  | { readonly kind: 'failed'; readonly node: string; readonly message: string; readonly stack: string }
  | {
      readonly kind: 'bundle';
      readonly bundleNumber: number;
      /** Input up to this sequence number is finished with once this bundle is committed. */
      readonly throughSequence: number;
      readonly watermarks: readonly Watermark[];
      readonly body: Uint8Array;
    }
  | ({ readonly kind: 'status' } & WorkerStatus)
  | { readonly kind: 'fetch'; readonly request: number; readonly scans: readonly PrefixScan[] }
  /** The next far timers of one of its nodes from `from` on, at most `limit`; answered like a fetch. */
  | { readonly kind: 'due'; readonly request: number; readonly scan: DueScan }
  /** Still alive; `input` names what is about to run, in careful mode. */
  | { readonly kind: 'progress'; readonly input: string }
  | { readonly kind: 'logs'; readonly lines: readonly LogLine[]; readonly cut: number }
  /** Time its stages took since the last report, in ms by plan index. */
  | { readonly kind: 'effort'; readonly spentMs: readonly number[] }
  /** Which keys have the most input, by a sample since about the last two reports. */
  | { readonly kind: 'hot-keys'; readonly reports: readonly HotKeyReport[] }
  /** Everything stored of this key may run only once a spare has tried it; answered by `cleared`. */
  | {
      readonly kind: 'suspect';
      /** 1, 2, 3, … */
      readonly number: number;
      /** Plan index. */
      readonly node: number;
      /** What the key's entries in the store begin with. */
      readonly prefix: Uint8Array;
      /** Of the node's input. */
      readonly watermark: Watermark;
    }
  /** Of a spare: a trial is over and has not ended it. `spent`: something of it may still run; it can try no more. */
  | { readonly kind: 'tried'; readonly number: number; readonly spent: boolean }
  /** What watched streams carried in a bundle; follows that bundle's frame. */
  | { readonly kind: 'taps'; readonly bundleNumber: number; readonly samples: readonly TapSample[] };

export interface WorkerStatus {
  readonly throughSequence: number;
  readonly bundlesSent: number;
  /** There is work that only waits for bundles on their way. */
  readonly pending: boolean;
  readonly waiting: number;
  readonly running: number;
  /** Wall time at which something becomes due here: a timer or a back-off. */
  readonly wakeAt: number | undefined;
  readonly nextWallTimer: number | undefined;
}

export interface HotKeyReport {
  /** Plan index. */
  readonly node: number;
  /** How many records were looked at, and how many of them surely had this key. */
  readonly sampled: number;
  readonly keys: readonly { readonly key: string; readonly count: number }[];
}

export interface PrefixScan {
  readonly space: number;
  readonly prefix: Uint8Array;
  readonly limit: number;
}

export interface DueScan {
  /** A `due` space. */
  readonly space: number;
  /** A key of it, or the beginning of one: its first byte names the clock that is asked for. */
  readonly from: Uint8Array;
  readonly limit: number;
}

export interface LogLine {
  readonly node: string;
  readonly level: string;
  readonly key: string;
  readonly text: string;
  readonly time: number;
  /** Places in the bundle it was called from, innermost first: `line:column`, parted by spaces. */
  readonly at: string;
}

/** What a decoder makes an object of takes a hundred times its bytes: more of them than this is no frame. */
const MOST_SCANS = 1 << 20;
const MOST_WATERMARKS = 100_000;
const MOST_NODES = 100_000;
const MOST_HOT_KEYS = 64;
/** More text than this at once is counted as cut; nobody reads it, and parsing it costs as much again. */
const MOST_LOG_TEXT = 16 << 20;

const KINDS = [
  'ready',
  'failed',
  'bundle',
  'status',
  'fetch',
  'progress',
  'logs',
  'effort',
  'taps',
  'due',
  'suspect',
  'tried',
  'hot-keys',
] as const;

export function encodeWorkerFrame(frame: WorkerFrame): Uint8Array {
  const w = new ByteWriter(frame.kind === 'bundle' ? frame.body.length + 512 : 256);
  w.u8(KINDS.indexOf(frame.kind));
  switch (frame.kind) {
    case 'ready':
      break;
    case 'failed':
      w.text(frame.node);
      w.text(frame.message);
      w.text(frame.stack);
      break;
    case 'bundle':
      w.varint(frame.bundleNumber);
      w.varint(frame.throughSequence);
      w.varint(frame.watermarks.length);
      for (const watermark of frame.watermarks) encodeWatermark(w, watermark);
      w.blob(frame.body);
      break;
    case 'status':
      w.varint(frame.throughSequence);
      w.varint(frame.bundlesSent);
      w.u8(frame.pending ? 1 : 0);
      w.varint(frame.waiting);
      w.varint(frame.running);
      w.f64(frame.wakeAt ?? Number.NaN);
      w.f64(frame.nextWallTimer ?? Number.NaN);
      break;
    case 'fetch':
      w.varint(frame.request);
      w.varint(frame.scans.length);
      for (const scan of frame.scans) {
        w.varint(scan.space);
        w.blob(scan.prefix);
        w.varint(scan.limit);
      }
      break;
    case 'due':
      w.varint(frame.request);
      w.varint(frame.scan.space);
      w.blob(frame.scan.from);
      w.varint(frame.scan.limit);
      break;
    case 'suspect':
      w.varint(frame.number);
      w.varint(frame.node);
      w.blob(frame.prefix);
      encodeWatermark(w, frame.watermark);
      break;
    case 'tried':
      w.varint(frame.number);
      w.u8(frame.spent ? 1 : 0);
      break;
    case 'progress':
      w.text(frame.input);
      break;
    case 'logs':
      w.text(JSON.stringify(frame.lines));
      w.varint(frame.cut);
      break;
    case 'effort':
      w.varint(frame.spentMs.length);
      for (const ms of frame.spentMs) w.varint(ms);
      break;
    case 'hot-keys':
      w.varint(frame.reports.length);
      for (const { node, sampled, keys } of frame.reports) {
        w.varint(node);
        w.varint(sampled);
        w.varint(keys.length);
        for (const { key, count } of keys) {
          w.text(key);
          w.varint(count);
        }
      }
      break;
    case 'taps':
      w.varint(frame.bundleNumber);
      w.varint(frame.samples.length);
      for (const sample of frame.samples) encodeTapSample(w, sample);
      break;
  }
  return w.bytes.subarray(0, w.length);
}

export function decodeWorkerFrame(bytes: Uint8Array): WorkerFrame {
  const r = new ByteReader(bytes);
  const frame = decode(r);
  if (!r.done) throw new MalformedBytes(`bytes after the end of a ${frame.kind} frame`);
  return frame;
}

function decode(r: ByteReader): WorkerFrame {
  const kind = KINDS[r.u8()];
  switch (kind) {
    case 'ready':
      return { kind };
    case 'failed':
      return { kind, node: r.text(), message: r.text(), stack: r.text() };
    case 'bundle': {
      const bundleNumber = r.varint();
      const throughSequence = r.varint();
      const watermarks: Watermark[] = [];
      for (let left = count(r, MOST_WATERMARKS, 'watermarks'); left > 0; left--)
        watermarks.push(decodeWatermark(r));
      return { kind, bundleNumber, throughSequence, watermarks, body: r.blob() };
    }
    case 'status':
      return {
        kind,
        throughSequence: r.varint(),
        bundlesSent: r.varint(),
        pending: r.u8() === 1,
        waiting: r.varint(),
        running: r.varint(),
        wakeAt: optional(r.f64()),
        nextWallTimer: optional(r.f64()),
      };
    case 'fetch': {
      const request = r.varint();
      const scans: PrefixScan[] = [];
      for (let left = count(r, MOST_SCANS, 'scans'); left > 0; left--)
        scans.push({ space: r.varint(), prefix: r.blob(), limit: r.varint() });
      return { kind, request, scans };
    }
    case 'due':
      return {
        kind,
        request: r.varint(),
        scan: { space: r.varint(), from: r.blob(), limit: r.varint() },
      };
    case 'suspect':
      return {
        kind,
        number: r.varint(),
        node: r.varint(),
        prefix: r.blob(),
        watermark: decodeWatermark(r),
      };
    case 'tried':
      return { kind, number: r.varint(), spent: r.u8() === 1 };
    case 'progress':
      return { kind, input: r.text() };
    case 'logs': {
      const json = r.blob();
      const cut = r.varint();
      return json.length > MOST_LOG_TEXT
        ? { kind, lines: [], cut: cut + 1 }
        : { kind, lines: readLines(decodeText(json)), cut };
    }
    case 'effort': {
      const spentMs: number[] = [];
      for (let left = count(r, MOST_NODES, 'nodes'); left > 0; left--) spentMs.push(r.varint());
      return { kind, spentMs };
    }
    case 'hot-keys': {
      const reports: HotKeyReport[] = [];
      for (let left = count(r, MOST_NODES, 'nodes'); left > 0; left--) reports.push(readHotKeys(r));
      return { kind, reports };
    }
    case 'taps':
      return { kind, bundleNumber: r.varint(), samples: decodeTapSamples(r) };
    default:
      throw new MalformedBytes('unknown worker frame');
  }
}

function readHotKeys(r: ByteReader): HotKeyReport {
  const [node, sampled] = [r.varint(), r.varint()];
  const keys: { key: string; count: number }[] = [];
  for (let left = count(r, MOST_HOT_KEYS, 'keys'); left > 0; left--)
    keys.push({ key: r.text(), count: r.varint() });
  return { node, sampled, keys };
}

function count(r: ByteReader, most: number, what: string): number {
  const found = r.varint();
  if (found > most) throw new MalformedBytes(`${found} ${what}, ${most} at most`);
  return found;
}

function optional(value: number): number | undefined {
  return Number.isNaN(value) ? undefined : value;
}

function readLines(json: string): LogLine[] {
  try {
    return checkedLines(JSON.parse(json));
  } catch (error) {
    throw new MalformedBytes(`log lines: ${(error as Error).message}`);
  }
}

function checkedLines(lines: unknown): LogLine[] {
  if (!Array.isArray(lines)) throw new TypeError('not a list');
  return lines.slice(0, 1000).map((line: Record<string, unknown>) => ({
    node: String(line.node),
    level: String(line.level),
    key: String(line.key),
    text: String(line.text),
    time: Number(line.time),
    at: String(line.at ?? ''),
  }));
}
