import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { secretNames, secretOf, secretSetting } from './secrets.ts';
import { settingProblems } from './validate/setting-problems.ts';

const schema = z.strictObject({
  token: secretSetting(),
  url: z.union([z.string().refine((text) => text.startsWith('https://')), secretSetting()]).optional(),
});

describe('settings that are secret', () => {
  it('take a name and nothing else', () => {
    expect(schema.safeParse({ token: { secret: 'crm.token-2' } }).success).toBe(true);
    for (const token of [
      'hunter2',
      7,
      null,
      {},
      { secret: '' },
      { secret: 'a', more: 1 },
      { secret: '../a' },
    ])
      expect(schema.safeParse({ token }).success, JSON.stringify(token)).toBe(false);
  });

  it('a literal is an issue that says what to write and does not repeat it', () => {
    const [problem] = settingProblems(schema, { token: 'hunter2' });
    expect(problem?.message).toContain(`setting 'token' must be { "secret": name }`);
    expect(problem?.message).not.toContain('hunter2');
  });

  it('can be written out as JSON Schema, marked', () => {
    expect(JSON.stringify(z.toJSONSchema(schema))).toContain('"secret":true');
  });

  it('all secrets that settings name are found, at any depth, and only those', () => {
    const config = {
      url: { secret: 'a' },
      headers: { Authorization: { secret: 'b' }, Other: 'c', __proto__x: { secret: 'a' } },
      list: [[{ secret: 'd' }], { secret: 7 }, { secret: 'e', more: true }],
    };
    expect([...secretNames(config)].sort()).toEqual(['a', 'b', 'd']);
    expect(secretOf({ secret: 'a' })).toBe('a');
    expect(secretOf(Object.create({ secret: 'a' }))).toBeUndefined();
  });
});
