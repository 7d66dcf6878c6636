/** A type as a person would write it down: the fields of objects on lines of their own, unless all of it is short. */

const SHORT = 34;

export function onLines(type: string): string {
  if (type.length <= SHORT) return type;
  let depth = 0;
  let quote: string | undefined;
  let text = '';
  for (const character of type) {
    if (quote !== undefined) {
      text += character;
      if (character === quote) quote = undefined;
      continue;
    }
    if (character === '"') quote = character;
    if (character === '{') depth += 1;
    if (character === '}') {
      depth = Math.max(0, depth - 1);
      text = `${text.trimEnd()}\n${'  '.repeat(depth)}`;
    }
    text += character === ' ' && /\n *$/.test(text) ? '' : character;
    if (character === '{' || (character === ';' && depth > 0)) text += `\n${'  '.repeat(depth)}`;
  }
  return text.replace(/\{\s+\}/g, '{}');
}
