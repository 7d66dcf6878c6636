import { describe, expect, it } from 'vitest';
import { canvasAction } from './canvas-keys.ts';

const press = (key: string, held: Partial<Parameters<typeof canvasAction>[0]> = {}) =>
  canvasAction({ key, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...held });

describe('keys on the canvas', () => {
  it('mean the same with Ctrl and ⌘', () => {
    expect(press('z', { ctrlKey: true })).toBe('undo');
    expect(press('Z', { metaKey: true, shiftKey: true })).toBe('redo');
  });

  it('a sign is a sign wherever the keyboard has it', () => {
    expect(press('/')).toBe('add');
    expect(press('/', { shiftKey: true })).toBe('add');
    expect(press('+', { shiftKey: true })).toBe('zoom-in');
  });

  it('leave to the browser what is its own', () => {
    expect(press('c', { ctrlKey: true })).toBeUndefined();
    expect(press('a')).toBeUndefined();
    expect(press('F5')).toBeUndefined();
  });
});
