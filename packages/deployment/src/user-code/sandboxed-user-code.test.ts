import type { WorkerExit, WorkerLauncher, WorkerProcess } from '@millrace/engine';
import { describe, expect, it } from 'vitest';
import { encodeMessage, type Reply, type Request } from './messages.ts';
import { sandboxedUserCode } from './sandboxed-user-code.ts';

const a = { bundle: 'a', params: {} };
const b = { bundle: 'b', params: {} };

/** A launcher whose workers answer with `answer`; undefined is silence, an exit ends the worker. */
function scripted(
  answer: (request: Request) => Reply | WorkerExit | Uint8Array | undefined,
  processorMs?: () => number,
) {
  const killed: (string | undefined)[] = [];
  let launched = 0;
  const launcher: WorkerLauncher = {
    async launch() {
      launched += 1;
      let onFrame: (frame: Uint8Array) => void = () => {};
      let onExit: (exit: WorkerExit) => void = () => {};
      const worker: WorkerProcess = {
        pid: 1,
        queuedBytes: 0,
        ...(processorMs && { processorMs }),
        onFrame(handler) {
          onFrame = handler;
        },
        onExit(handler) {
          onExit = handler;
        },
        kill: (reason) => void killed.push(reason),
        send(frame) {
          const said = answer(JSON.parse(new TextDecoder().decode(frame)));
          queueMicrotask(() => {
            if (said instanceof Uint8Array) onFrame(said);
            else if (said !== undefined && 'stderr' in said) onExit(said);
            else if (said !== undefined) onFrame(encodeMessage(said));
          });
        },
      };
      return worker;
    },
    close: async () => {},
  };
  return {
    userCode: sandboxedUserCode(launcher, { answerMs: 50, memoryMb: 64 }),
    killed,
    launches: () => launched,
  };
}

const well = (request: Request): Reply => {
  if (request.kind === 'load') return { id: request.id, kind: 'loaded' };
  if (request.kind === 'facts') return { id: request.id, kind: 'facts', facts: [] };
  return { id: request.id, kind: 'case', differences: [] };
};

describe('user code away from the command line', () => {
  it('loads a bundle once and asks about it many times', async () => {
    const { userCode, launches, killed } = scripted(well);
    expect(await userCode.facts(a)).toEqual(new Map());
    expect(await userCode.runCase(a, 'n', '{}')).toEqual({ differences: [] });
    expect(launches()).toBe(1);
    await userCode.facts(b);
    expect(launches()).toBe(2);
    await userCode.close();
    expect(killed).toHaveLength(2);
  });

  it('U2: code that never answers is ended, and the next case gets a new worker', async () => {
    const { userCode, launches, killed } = scripted((request) => {
      return request.kind === 'case' && request.node === 'loop' ? undefined : well(request);
    });
    expect((await userCode.runCase(a, 'loop', '{}')).differences[0]).toContain('no answer in 0.05 s');
    expect(killed).toHaveLength(1);
    expect((await userCode.runCase(a, 'n', '{}')).differences).toEqual([]);
    expect(launches()).toBe(2);
  });

  it('U2: a worker that is given no processor is waited for six times as long', async () => {
    const began = performance.now();
    const { userCode } = scripted(
      (request) => (request.kind === 'case' ? undefined : well(request)),
      () => 7,
    );
    expect((await userCode.runCase(a, 'slow', '{}')).differences[0]).toContain('no answer in 0.05 s');
    expect(performance.now() - began).toBeGreaterThan(300);
  });

  it('U2: a worker that ends says why', async () => {
    const exit: WorkerExit = { code: null, signal: 'SIGKILL', reason: 'out of memory', stderr: '' };
    const { userCode } = scripted((request) => (request.kind === 'case' ? exit : well(request)));
    expect((await userCode.runCase(a, 'n', '{}')).differences[0]).toContain('out of memory');
  });

  it('U2: forged answers end the worker', async () => {
    for (const forged of [Uint8Array.of(1, 2), encodeMessage({ id: 99, kind: 'case', differences: [] })]) {
      const { userCode, killed } = scripted((request) => (request.kind === 'case' ? forged : well(request)));
      expect((await userCode.runCase(a, 'n', '{}')).differences[0]).toContain('no answer');
      expect(killed).toHaveLength(1);
    }
  });

  it('a bundle that does not load is a failure with its reason', async () => {
    const { userCode } = scripted(({ id }) => ({ id, kind: 'failed', error: 'nodes/a.ts: boom' }));
    await expect(userCode.facts(a)).rejects.toThrow('boom');
    await userCode.close();
  });
});
