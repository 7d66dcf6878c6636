/**
 * The secret of a link stands in the fragment, which no server sees. It is read once and taken out of the address
 * bar and the history; kept in memory, so that a failed attempt can be repeated.
 */
const found = new Map<string, string>();

export function linkSecret(): string | undefined {
  const { pathname, hash } = location;
  if (hash.length > 1) {
    found.set(pathname, decode(hash.slice(1)));
    history.replaceState(history.state, '', pathname);
  }
  return found.get(pathname);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
