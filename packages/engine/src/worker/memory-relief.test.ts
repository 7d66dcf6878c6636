import { describe, expect, it } from 'vitest';
import { wantedTooMuch } from './memory-relief.ts';

describe('wantedTooMuch', () => {
  it('P8: knows what V8 throws where no buffer fits', () => {
    let thrown: unknown;
    try {
      new ArrayBuffer(2 ** 52);
    } catch (error) {
      thrown = error;
    }
    expect(wantedTooMuch(thrown)).toBe(true);
  });

  it('takes no other error for it, whatever it does when it is looked at', () => {
    expect(wantedTooMuch(new RangeError('Invalid array length'))).toBe(false);
    expect(wantedTooMuch(new Error('allocation'))).toBe(false);
    expect(wantedTooMuch(undefined)).toBe(false);
    const hostile = new Proxy(new RangeError('allocation'), {
      get() {
        throw new Error('not for you');
      },
    });
    expect(wantedTooMuch(hostile)).toBe(false);
  });
});
