/** JSON with sorted keys, two spaces and a trailing newline: equal data, equal bytes. */
export function canonicalJson(value: unknown): string {
  return `${write(value, '')}\n`;
}

function write(value: unknown, indent: string): string {
  const deeper = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    if (value.every((item) => typeof item !== 'object' || item === null)) {
      return `[${value.map((item) => write(item, deeper)).join(', ')}]`;
    }
    return `[\n${value.map((item) => deeper + write(item, deeper)).join(',\n')}\n${indent}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const entries = value instanceof Map ? [...value] : Object.entries(value);
    const present = entries.filter(([, member]) => member !== undefined);
    if (present.length === 0) return '{}';
    present.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    const lines = present.map(([key, member]) => `${deeper}${JSON.stringify(key)}: ${write(member, deeper)}`);
    return `{\n${lines.join(',\n')}\n${indent}}`;
  }
  return JSON.stringify(value) ?? 'null';
}
