import { describe, expect, test } from 'vitest';
import { judgePidFile, type Verdict } from './pid-file.ts';
import type { Liveness } from './processes.ts';

const cluster = '/data/my folder/postgres';
const file = (status: string) => `42\n${cluster}\n1700000000\n5432\n${cluster}\n\n  123 4\n${status}   \n`;
const alive = (command: string): Liveness => ({ kind: 'alive', command });
const ours = alive(`/opt/native/bin/postgres -D ${cluster}`);

const cases: [string, string | undefined, Liveness, Verdict['kind']][] = [
  ['there is no file', undefined, ours, 'absent'],
  ['its process is gone', file('ready'), { kind: 'gone' }, 'absent'],
  ['its process is dead but not collected', file('ready'), { kind: 'defunct' }, 'misleading'],
  ['its process is something else', file('ready'), alive('/usr/bin/sleep 60'), 'misleading'],
  [
    'its process is the server of another cluster',
    file('ready'),
    alive('/b/postgres -D /data/other'),
    'misleading',
  ],
  [
    'its process serves a cluster whose path begins alike',
    file('ready'),
    alive(`/b/postgres -D ${cluster}-2`),
    'misleading',
  ],
  ['it is ours and ready', file('ready'), ours, 'running'],
  ['it is ours and starting', file('starting'), ours, 'starting'],
  ['it is ours and has written only its first lines', `42\n${cluster}\n`, ours, 'starting'],
  ['it is ours and stopping', file('stopping'), ours, 'leaving'],
  ['it holds nonsense', 'hello', ours, 'misleading'],
  ['it is empty', '', ours, 'misleading'],
];

describe('E2: what a postmaster.pid means', () => {
  test.each(cases)('%s', (_title, text, liveness, kind) => {
    expect(judgePidFile(text, cluster, () => liveness).kind).toBe(kind);
  });
});
