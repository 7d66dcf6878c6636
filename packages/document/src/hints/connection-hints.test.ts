import { describe, expect, it } from 'vitest';
import { company } from '../../test/company.ts';
import { types } from '../../test/fixture.ts';
import { checkFrom, connectionFault } from './connection-fault.ts';
import { connectionHints } from './connection-hints.ts';

describe('connectionHints', () => {
  it('from an output: every input, with the reason where it cannot be', () => {
    const { pipeline } = company().ann.document.read();
    const hints = connectionHints(pipeline, types, ['n_late', 'out'], 'output');
    expect(hints.map(({ port, fault, isNew }) => [...port, fault?.code ?? 'fits', isNew])).toEqual([
      ['n_count', 'flights', 'duplicate-stream', false],
      ['n_count', 'input', 'fits', true],
      ['n_flights', 'input', 'to-injector', false],
      ['n_late', 'in', 'same-node', false],
      ['n_out', 'in', 'fits', false],
    ]);
  });

  it('from an input: every output, with the reason where it cannot be', () => {
    const { pipeline } = company().ann.document.read();
    const hints = connectionHints(pipeline, types, ['n_late', 'in'], 'input');
    expect(hints.map(({ port, fault }) => [...port, fault?.code ?? 'fits'])).toEqual([
      ['n_count', 'counts', 'cycle'],
      ['n_count', 'out', 'cycle'],
      ['n_flights', 'out', 'duplicate-stream'],
      ['n_late', 'out', 'same-node'],
      ['n_out', 'out', 'from-sink'],
    ]);
  });

  it('the reason of a cycle names both ends', () => {
    const { pipeline } = company().ann.document.read();
    const [from, to] = [['n_count', 'counts'] as const, ['n_late', 'in'] as const];
    expect(connectionFault(checkFrom(pipeline, types, from), from, to)?.reason).toBe(
      "records would go round for ever: 'late only' already leads to 'count'",
    );
  });

  it('a stream that is being moved does not stand in its own way', () => {
    const { pipeline } = company().ann.document.read();
    const [from, to] = [['n_late', 'out'] as const, ['n_count', 'flights'] as const];
    expect(connectionFault(checkFrom(pipeline, types, from, 's_2'), from, to)).toBeUndefined();
  });
});
