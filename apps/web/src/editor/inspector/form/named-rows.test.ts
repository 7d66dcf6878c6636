import { describe, expect, it } from 'vitest';
import { addedRow, renamedRow, rowsOf, withoutRow, withRow } from './named-rows.ts';

const rows = { a: 1, b: 2 };

describe('rows with names of their own', () => {
  it('keep their order when one is renamed or changed', () => {
    expect(Object.entries(renamedRow(rows, 'a', 'z'))).toEqual([
      ['z', 1],
      ['b', 2],
    ]);
    expect(withRow(rows, 'a', 9)).toEqual({ a: 9, b: 2 });
  });

  it('never lose one to a name that is taken or has a meaning of its own', () => {
    expect(renamedRow(rows, 'a', 'b')).toEqual(rows);
    expect(renamedRow(rows, 'a', '__proto__')).toEqual(rows);
    expect(addedRow({ column: 1 }, 'column', 2)).toEqual({ column: 1, column2: 2 });
  });

  it('none left is no setting', () => {
    expect(withoutRow({ a: 1 }, 'a')).toBeUndefined();
    expect(rowsOf('text')).toEqual([]);
  });
});
