/** Types somebody added lately, latest first; kept in this browser. */
const KEY = 'recent-types';
const MOST = 8;

export function recentTypes(): readonly string[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(value) ? value.filter((type) => typeof type === 'string').slice(0, MOST) : [];
  } catch {
    return [];
  }
}

export function remember(type: string): void {
  try {
    const types = [type, ...recentTypes().filter((other) => other !== type)].slice(0, MOST);
    localStorage.setItem(KEY, JSON.stringify(types));
  } catch {
    // Without storage nothing is remembered, and nothing else is lost.
  }
}
