/**
 * The command line as data: `parseCommandLine` turns arguments into one command, a help text or a usage error.
 * Pure, so that every rule of it is a test without a process.
 */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { helpOf, overview } from './help.ts';

export interface RunCommand {
  readonly kind: 'run';
  readonly folder: string;
  readonly workers: number;
  readonly params: ReadonlyMap<string, string>;
  /** Undefined: the pipeline's own `.millrace/data`. */
  readonly data: string | undefined;
  readonly fresh: boolean;
  readonly dropState: boolean;
  /** Where HTTP injectors listen; undefined: the usual port, or a free one. */
  readonly port: number | undefined;
  readonly json: boolean;
}

export interface FolderCommand {
  readonly kind: 'check' | 'test' | 'types';
  readonly folder: string;
  readonly json: boolean;
}

export interface BenchCommand {
  readonly kind: 'bench';
  readonly names: readonly string[];
  readonly tiny: boolean;
  readonly out: string | undefined;
}

/** Undefined: what the environment says, else the default. */
export interface ServeCommand {
  readonly kind: 'serve';
  readonly host: string | undefined;
  readonly port: string | undefined;
  readonly data: string | undefined;
  readonly publicUrl: string | undefined;
  readonly paused: true | undefined;
}

export type LinkCommand =
  | { readonly kind: 'owner-link'; readonly data: string | undefined }
  | { readonly kind: 'reset-password'; readonly data: string | undefined; readonly email: string };

/** Of a server, with an API token. What a kind has no use for is as if it had not been given. */
export interface RemoteCommand {
  readonly kind: 'deploy' | 'push' | 'pull' | 'status';
  /** `status` has none. */
  readonly folder: string;
  /** Undefined: what the environment says, else the default. */
  readonly server: string | undefined;
  readonly json: boolean;
  readonly force: boolean;
  readonly pipeline: string | undefined;
  readonly version: number | undefined;
  readonly message: string;
  readonly workers: number | undefined;
  readonly paused: boolean;
  readonly dropState: boolean;
}

export type Command = RunCommand | FolderCommand | BenchCommand | ServeCommand | LinkCommand | RemoteCommand;

export type CommandLine =
  | Command
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'version' }
  | { readonly kind: 'usage'; readonly message: string };

type Options = NonNullable<ParseArgsConfig['options']>;

const help = { help: { type: 'boolean', short: 'h' } } as const;
const json = { json: { type: 'boolean' } } as const;
const runOptions = {
  ...help,
  ...json,
  mode: { type: 'string' },
  workers: { type: 'string' },
  param: { type: 'string', multiple: true },
  data: { type: 'string' },
  fresh: { type: 'boolean' },
  'drop-state': { type: 'boolean' },
  port: { type: 'string' },
} as const;
const folderOptions = { ...help, ...json } as const;
const serveOptions = {
  ...help,
  host: { type: 'string' },
  port: { type: 'string' },
  data: { type: 'string' },
  'public-url': { type: 'string' },
  paused: { type: 'boolean' },
} as const;
const linkOptions = { ...help, data: { type: 'string' } } as const;
const remoteOptions = { ...help, ...json, server: { type: 'string' } } as const;
const remoteFlags = {
  status: remoteOptions,
  push: { ...remoteOptions, force: { type: 'boolean' } },
  pull: {
    ...remoteOptions,
    force: { type: 'boolean' },
    pipeline: { type: 'string' },
    version: { type: 'string' },
  },
  deploy: {
    ...remoteOptions,
    force: { type: 'boolean' },
    message: { type: 'string', short: 'm' },
    workers: { type: 'string' },
    paused: { type: 'boolean' },
    'drop-state': { type: 'boolean' },
  },
} as const satisfies Record<RemoteCommand['kind'], Options>;
const benchOptions = { ...help, tiny: { type: 'boolean' }, out: { type: 'string' } } as const;

/** Commands that work on the data folder as a whole. */
const later = ['backup', 'restore', 'move'];

const maxWorkers = 64;
const maxVersion = 2 ** 31 - 1;

export function parseCommandLine(args: readonly string[]): CommandLine {
  const [name, ...rest] = args;
  if (name === undefined) return usage(`no command given.\n\n${overview}`);
  if (name === '--help' || name === '-h') return { kind: 'help', text: overview };
  if (name === 'help') return { kind: 'help', text: helpOf(rest[0] ?? '') ?? overview };
  if (name === '--version') return { kind: 'version' };
  if (later.includes(name)) return usage(`${name}: not in this version.`);
  if (name === 'run') return parseRun(rest);
  if (name === 'check' || name === 'test' || name === 'types') return parseFolder(name, rest);
  if (name === 'bench') return parseBench(rest);
  if (name === 'serve') return parseServe(rest);
  if (name === 'owner-link' || name === 'reset-password') return parseLink(name, rest);
  if (name === 'deploy' || name === 'push' || name === 'pull' || name === 'status')
    return parseRemote(name, rest);
  return usage(`${name}: unknown command. \`millrace --help\` lists them.`);
}

function parseRun(args: readonly string[]): CommandLine {
  return parsed('run', args, runOptions, ({ values, positionals }) => {
    const mode = values.mode ?? 'continuous';
    if (mode === 'discretized') return usage('--mode discretized: not in this version.');
    if (mode !== 'continuous') return usage(`--mode ${mode}: give continuous or discretized.`);
    const folder = oneFolder('run', positionals);
    if (typeof folder !== 'string') return folder;
    const workers = wholeNumber('workers', values.workers ?? '1', maxWorkers);
    if (typeof workers !== 'number') return workers;
    const params = parseParams((values.param as string[] | undefined) ?? []);
    if (!(params instanceof Map)) return params;
    if (values.data === '') return usage('--data: give a folder.');
    const port = values.port === undefined ? undefined : Number(values.port || Number.NaN);
    if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port <= 65_535))
      return usage(`--port ${values.port}: give a number from 0 to 65535.`);
    return {
      kind: 'run',
      folder,
      workers,
      params,
      data: values.data as string | undefined,
      fresh: values.fresh === true,
      dropState: values['drop-state'] === true,
      port,
      json: values.json === true,
    };
  });
}

function parseFolder(kind: FolderCommand['kind'], args: readonly string[]): CommandLine {
  return parsed(kind, args, folderOptions, ({ values, positionals }) => {
    const folder = oneFolder(kind, positionals);
    return typeof folder === 'string' ? { kind, folder, json: values.json === true } : folder;
  });
}

function parseBench(args: readonly string[]): CommandLine {
  return parsed('bench', args, benchOptions, ({ values, positionals }) => ({
    kind: 'bench',
    names: positionals,
    tiny: values.tiny === true,
    out: values.out as string | undefined,
  }));
}

function parseServe(args: readonly string[]): CommandLine {
  return parsed('serve', args, serveOptions, ({ values, positionals }) => {
    if (positionals.length > 0) return usage(`serve: takes no folder; name the data folder with --data.`);
    const text = (name: string) => values[name] as string | undefined;
    const empty = ['host', 'port', 'data', 'public-url'].find((name) => values[name] === '');
    if (empty !== undefined) return usage(`--${empty}: give a value.`);
    return {
      kind: 'serve',
      host: text('host'),
      port: text('port'),
      data: text('data'),
      publicUrl: text('public-url'),
      paused: values.paused === true ? true : undefined,
    };
  });
}

function parseLink(kind: LinkCommand['kind'], args: readonly string[]): CommandLine {
  return parsed(kind, args, linkOptions, ({ values, positionals }) => {
    const data = values.data as string | undefined;
    const [email, ...more] = positionals;
    if (kind === 'owner-link')
      return email === undefined
        ? { kind, data }
        : usage('owner-link: takes no address; the link asks for it.');
    if (email === undefined || more.length > 0) return usage('reset-password: give one e-mail address.');
    return { kind, data, email };
  });
}

function parseRemote(kind: RemoteCommand['kind'], args: readonly string[]): CommandLine {
  return parsed(kind, args, remoteFlags[kind], ({ values, positionals }) => {
    const folder = kind === 'status' ? noFolder(positionals) : oneFolder(kind, positionals);
    if (typeof folder !== 'string') return folder;
    const workers = optionalNumber('workers', values.workers, maxWorkers);
    if (typeof workers === 'object') return workers;
    const version = optionalNumber('version', values.version, maxVersion);
    if (typeof version === 'object') return version;
    const text = (name: string) => values[name] as string | undefined;
    return {
      kind,
      folder,
      server: text('server'),
      json: values.json === true,
      force: values.force === true,
      pipeline: text('pipeline'),
      version,
      message: text('message') ?? '',
      workers,
      paused: values.paused === true,
      dropState: values['drop-state'] === true,
    };
  });
}

const noFolder = (positionals: readonly string[]): string | CommandLine =>
  positionals.length === 0 ? '' : usage('status: takes no folder; it shows all pipelines of the server.');

const optionalNumber = (flag: string, given: unknown, most: number): number | undefined | CommandLine =>
  given === undefined ? undefined : wholeNumber(flag, given, most);

function wholeNumber(flag: string, given: unknown, most: number): number | CommandLine {
  const number = Number(given);
  if (Number.isInteger(number) && number >= 1 && number <= most) return number;
  return usage(`--${flag} ${given}: give a whole number from 1 to ${most}.`);
}

interface Parsed {
  readonly values: Readonly<Record<string, unknown>>;
  readonly positionals: readonly string[];
}

function parsed(
  command: string,
  args: readonly string[],
  options: Options,
  read: (found: Parsed) => CommandLine,
): CommandLine {
  try {
    const found = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
    const text = helpOf(command);
    return found.values.help === true && text !== undefined ? { kind: 'help', text } : read(found);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return usage(
      `${error.message.split('. To specify')[0]?.replace(/\.$/, '')}. See \`millrace ${command} --help\`.`,
    );
  }
}

function oneFolder(command: string, positionals: readonly string[]): string | CommandLine {
  const [folder, ...more] = positionals;
  if (folder === undefined || folder === '') return usage(`${command}: give the pipeline's folder.`);
  if (more.length > 0) return usage(`${command}: give one folder, not ${positionals.length}.`);
  return folder;
}

function parseParams(given: readonly string[]): Map<string, string> | CommandLine {
  const params = new Map<string, string>();
  for (const text of given) {
    const at = text.indexOf('=');
    if (at < 1) return usage(`--param ${text}: give it as name=value.`);
    const name = text.slice(0, at);
    if (params.has(name)) return usage(`--param ${name}: given twice.`);
    params.set(name, text.slice(at + 1));
  }
  return params;
}

const usage = (message: string): CommandLine => ({ kind: 'usage', message });
