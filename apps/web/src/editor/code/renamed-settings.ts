/**
 * What a rename changes in a generated file belongs to the setting that file is made of: `value.who` in a key
 * extractor, in an operator's expression. Pure.
 */

import type { ProjectFile } from '@millrace/compiler/layout';
import type { Command } from '@millrace/document';
import type { Pipeline } from '@millrace/graph';

export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Undefined: something of it is written by nobody, such as the call around an expression. */
export function settingsAfter(
  pipeline: Pipeline,
  { text, origin }: ProjectFile,
  edits: readonly TextEdit[],
): readonly Command[] | undefined {
  if (origin.kind === 'file') return undefined;
  const spans = origin.spans.map((span) => ({
    span,
    own: edits.filter(({ start, end }) => start >= span.start && end <= span.end),
  }));
  if (spans.reduce((sum, { own }) => sum + own.length, 0) < edits.length) return undefined;
  const commands = new Map<string, Command>();
  for (const { span, own } of spans) {
    if (own.length === 0) continue;
    const before = text.slice(span.start, span.end);
    const key = span.path.slice(0, 4).join('.');
    const command = settingCommand({
      pipeline,
      earlier: commands.get(key),
      path: span.path,
      before,
      after: changed(before, span.start, own),
    });
    if (command === undefined) return undefined;
    commands.set(key, command);
  }
  return [...commands.values()];
}

function changed(before: string, offset: number, edits: readonly TextEdit[]): string {
  // From the end, so that no edit moves the place of the next.
  return [...edits]
    .sort((a, b) => b.start - a.start)
    .reduce(
      (text, { start, end, text: inserted }) =>
        text.slice(0, start - offset) + inserted + text.slice(end - offset),
      before,
    );
}

interface ChangedSetting {
  readonly pipeline: Pipeline;
  /** What was changed of the same setting already. */
  readonly earlier: Command | undefined;
  readonly path: readonly (string | number)[];
  readonly before: string;
  readonly after: string;
}

/** Undefined where the setting is not this very text, such as where a parameter stands for it. */
function settingCommand({ pipeline, earlier, path, before, after }: ChangedSetting): Command | undefined {
  const [table, id = '', , setting = '', ...inside] = path.map(String);
  if (table === 'streams') {
    const isSame = pipeline.streams.get(id)?.keyBy === before;
    return isSame ? { kind: 'set-key-by', stream: id, keyBy: after } : undefined;
  }
  const now = earlier?.kind === 'set-setting' ? earlier.value : pipeline.nodes.get(id)?.config[setting];
  const value = replaced(now, inside, before, after);
  return value === undefined ? undefined : { kind: 'set-setting', node: id, setting, value };
}

function replaced(value: unknown, inside: readonly string[], before: string, after: string): unknown {
  const [key, ...rest] = inside;
  if (key === undefined) return value === before ? after : undefined;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  const member = replaced((value as Record<string, unknown>)[key], rest, before, after);
  return member === undefined ? undefined : { ...value, [key]: member };
}
