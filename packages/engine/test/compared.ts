/** What is missing and what is too often, a line each, by texts that are equal exactly when the things are. */
export function compared(what: string, found: readonly string[], wanted: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const text of wanted) counts.set(text, (counts.get(text) ?? 0) - 1);
  for (const text of found) counts.set(text, (counts.get(text) ?? 0) + 1);
  const wrong = [...counts].filter(([, n]) => n !== 0);
  return [
    ...wrong
      .slice(0, 8)
      .map(([text, n]) => `${what}: ${n > 0 ? `${n} × too often` : `${-n} × missing`}: ${text}`),
    ...(wrong.length > 8 ? [`${what}: … ${wrong.length} differences in all`] : []),
  ];
}
