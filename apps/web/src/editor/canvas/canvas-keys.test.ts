import { beforeEach, describe, expect, it } from 'vitest';
import { actionFor, keymapStore, keysOf, setKeys } from './canvas-keymap.ts';

const press = (key: string, held: Partial<Parameters<typeof actionFor>[0]> = {}) =>
  actionFor({ key, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...held });

beforeEach(() => keymapStore.setState({ own: {} }));

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
    expect(press('a')).toBeUndefined();
    expect(press('F5')).toBeUndefined();
  });
});

describe('keys one has chosen oneself', () => {
  it('do what they were given to, and the usual ones of that action do nothing', () => {
    expect(setKeys('connect', 'k')).toBeUndefined();
    expect(press('k')).toBe('connect');
    expect(press('c')).toBeUndefined();
    expect(keysOf('connect')).toBe('k');
  });

  it('are not taken from another action', () => {
    expect(setKeys('connect', 'n')).toBe('note');
    expect(press('n')).toBe('note');
    expect(press('c')).toBe('connect');
  });

  it('can be given to another once they are free, and back again', () => {
    setKeys('note', 'shift+n');
    expect(setKeys('connect', 'n')).toBeUndefined();
    expect(press('n')).toBe('connect');
    expect(setKeys('note', undefined)).toBe('connect');
    setKeys('connect', undefined);
    setKeys('note', undefined);
    expect(press('n')).toBe('note');
  });
});
