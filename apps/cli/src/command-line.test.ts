import { describe, expect, it } from 'vitest';
import { parseCommandLine } from './command-line.ts';

const parse = (text: string) => parseCommandLine(text === '' ? [] : text.split(' '));
const messageOf = (text: string) => {
  const parsed = parse(text);
  return parsed.kind === 'usage' ? parsed.message : `not a usage error: ${parsed.kind}`;
};

describe('millrace run', () => {
  it('has defaults for everything but the folder', () => {
    expect(parse('run flights')).toEqual({
      kind: 'run',
      folder: 'flights',
      workers: 1,
      params: new Map(),
      data: undefined,
      fresh: false,
      dropState: false,
      port: undefined,
      json: false,
    });
  });

  it('reads every flag, before and after the folder', () => {
    const line =
      'run --workers 3 --param gap=5m flights --param text=a=b --data d --fresh --drop-state --json --mode=continuous';
    expect(parse(line)).toEqual({
      kind: 'run',
      folder: 'flights',
      workers: 3,
      params: new Map([
        ['gap', '5m'],
        ['text', 'a=b'],
      ]),
      data: 'd',
      fresh: true,
      dropState: true,
      json: true,
    });
  });

  it('refuses discretized mode with "not in this version"', () => {
    expect(messageOf('run flights --mode discretized')).toContain('not in this version');
    expect(messageOf('run --mode discretized')).toContain('not in this version');
    expect(messageOf('run flights --mode fast')).toContain('give continuous or discretized');
  });

  it.each([
    ['run', 'folder'],
    ['run a b', 'one folder'],
    ['run a --workers 0', 'whole number'],
    ['run a --workers 1.5', 'whole number'],
    ['run a --workers x', 'whole number'],
    ['run a --workers 65', 'whole number'],
    ['run a --param gap', 'name=value'],
    ['run a --param =1', 'name=value'],
    ['run a --param x=1 --param x=2', 'twice'],
    ['run a --colour', '--colour'],
    ['run a --fresh=yes', '--fresh'],
    ['run a --data', '--data'],
    ['run a --data=', 'folder'],
  ])('%s is a usage error that says what is wrong', (line, part) => {
    expect(messageOf(line)).toContain(part);
  });

  it('keeps a parameter named __proto__ apart from the prototype', () => {
    expect(parse('run a --param __proto__=1')).toMatchObject({ params: new Map([['__proto__', '1']]) });
  });
});

describe('millrace', () => {
  it.each(['check', 'test', 'types'] as const)('%s takes a folder and --json', (kind) => {
    expect(parse(`${kind} flights --json`)).toEqual({ kind, folder: 'flights', json: true });
    expect(messageOf(`${kind} flights --fresh`)).toContain('--fresh');
    expect(messageOf(kind)).toContain('folder');
  });

  it('bench takes names', () => {
    expect(parse('bench grep state --tiny --out b.json')).toEqual({
      kind: 'bench',
      names: ['grep', 'state'],
      tiny: true,
      out: 'b.json',
    });
  });

  it.each(['run', 'check', 'test', 'types', 'bench'])('%s --help shows its flags', (name) => {
    const parsed = parse(`${name} --help`);
    expect(parsed).toMatchObject({ kind: 'help', text: expect.stringContaining(`millrace ${name}`) });
    expect(parse(`help ${name}`)).toEqual(parsed);
  });

  it('without a command, with an unknown one or one of a later version is a usage error', () => {
    expect(messageOf('')).toContain('no command');
    expect(messageOf('fly')).toContain('unknown command');
    expect(messageOf('backup x')).toContain('not in this version');
    expect(parse('--help').kind).toBe('help');
    expect(parse('--version').kind).toBe('version');
  });
});

describe('the commands of a server', () => {
  it('take a folder, a server and their own flags', () => {
    expect(
      parse('deploy f --server http://h -m why --workers 2 --paused --drop-state --force --json'),
    ).toEqual({
      kind: 'deploy',
      folder: 'f',
      server: 'http://h',
      json: true,
      force: true,
      pipeline: undefined,
      version: undefined,
      message: 'why',
      workers: 2,
      paused: true,
      dropState: true,
    });
    expect(parse('pull f --pipeline p_1 --version 3')).toMatchObject({ pipeline: 'p_1', version: 3 });
    expect(parse('push f')).toMatchObject({ kind: 'push', force: false, server: undefined });
    expect(parse('status --json')).toMatchObject({ kind: 'status', json: true });
  });

  it.each([
    ['push', 'folder'],
    ['push a --workers 2', '--workers'],
    ['pull a --version 0', 'whole number'],
    ['deploy a --workers x', 'whole number'],
    ['deploy a --token t', '--token'],
    ['status a', 'no folder'],
  ])('%s is a usage error that says what is wrong', (line, part) => {
    expect(messageOf(line)).toContain(part);
  });
});

describe('millrace serve and its links', () => {
  it('leaves to the environment what no flag says', () => {
    expect(parse('serve')).toEqual({
      kind: 'serve',
      host: undefined,
      port: undefined,
      data: undefined,
      publicUrl: undefined,
      paused: undefined,
    });
    expect(parse('serve --port 8080 --paused --public-url https://mill.example.org')).toMatchObject({
      port: '8080',
      paused: true,
      publicUrl: 'https://mill.example.org',
    });
  });

  it('says what is wrong', () => {
    expect(messageOf('serve samples/flight-delays')).toContain('takes no folder');
    expect(messageOf('serve --host=')).toContain('--host');
    expect(messageOf('owner-link me@example.org')).toContain('takes no address');
    expect(messageOf('reset-password')).toContain('one e-mail address');
  });

  it('reads whose password and which folder', () => {
    expect(parse('reset-password me@example.org --data d')).toEqual({
      kind: 'reset-password',
      data: 'd',
      email: 'me@example.org',
    });
    expect(parse('owner-link')).toEqual({ kind: 'owner-link', data: undefined });
  });
});
