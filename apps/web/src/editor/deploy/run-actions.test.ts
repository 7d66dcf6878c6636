import { expect, test } from 'vitest';
import type { Deployment } from './deployed-store.ts';
import { runActions } from './run-actions.ts';

const ALL = { mayOperate: true, mayDeploy: true, previous: 3 };
const NONE = { mayOperate: false, mayDeploy: false, previous: 3 };

function of(desired: Deployment['desired'], state: Deployment['observed']['state']) {
  const observed = { state, reason: null, since: 0, retryAt: null, version: 4, upToDate: true };
  return { desired, observed };
}

test('what runs can be paused and stopped, what is paused goes on, what is stopped starts', () => {
  expect(runActions(of('running', 'running'), ALL)).toEqual(['pause', 'stop', 'kill', 'rollback']);
  expect(runActions(of('paused', 'paused'), ALL)).toEqual(['resume', 'stop', 'kill', 'rollback']);
  expect(runActions(of('stopped', 'stopped'), ALL)).toEqual(['start', 'rollback']);
});

test('what is draining can be ended at once, what failed tried again', () => {
  expect(runActions(of('stopped', 'draining'), ALL)).toEqual(['start', 'kill', 'rollback']);
  expect(runActions(of('running', 'failed'), ALL)).toEqual(['retry', 'stop', 'rollback']);
  expect(runActions(of('running', 'ended'), ALL)).toEqual(['rollback']);
});

test('what only delivers dead letters can be started, or ended where a sink does not take them', () => {
  expect(runActions(of('stopped', 'redriving'), ALL)).toEqual(['start', 'kill', 'rollback']);
  expect(runActions(of('running', 'redriving'), ALL)).toEqual(['stop', 'kill', 'rollback']);
});

test('without the rights, or a version before, nothing is offered that would be refused', () => {
  expect(runActions(of('running', 'running'), NONE)).toEqual([]);
  expect(runActions(of('running', 'running'), { ...NONE, mayOperate: true })).toEqual([
    'pause',
    'stop',
    'kill',
  ]);
  expect(runActions(of('stopped', 'stopped'), { ...ALL, previous: undefined })).toEqual(['start']);
});
