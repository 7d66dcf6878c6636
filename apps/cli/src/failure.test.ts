import { describe, expect, it } from 'vitest';
import { failureText } from './failure.ts';

describe('an error of the command line', () => {
  it('is its message and what caused it, without a stack', () => {
    const error = new Error('could not open the store', { cause: new Error('no permission') });
    expect(failureText(error, false)).toBe('millrace: could not open the store\n  because no permission');
  });

  it('does not repeat a cause that the message already tells', () => {
    const error = new Error('could not open: no permission', { cause: new Error('no permission') });
    expect(failureText(error, false)).toBe('millrace: could not open: no permission');
  });

  it('has its stack for those who look for a bug of ours', () => {
    expect(failureText(new Error('x'), true)).toContain('failure.test.ts');
    expect(failureText('text', true)).toBe('millrace: text');
  });
});
