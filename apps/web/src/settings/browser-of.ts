import { settingsWords } from '../text/strings/settings.ts';
/** `Firefox on Linux`: as much of a user agent as somebody recognises a session by. */
export function browserOf(userAgent: string): string {
  const browser = BROWSERS.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? settingsWords.aProgram;
  const system = SYSTEMS.find(([, pattern]) => pattern.test(userAgent))?.[0];
  return system ? `${browser} on ${system}` : browser;
}

/** In this order: each later one also calls itself by the name of those before. */
const BROWSERS = [
  [settingsWords.edge, /Edg\//],
  [settingsWords.opera, /OPR\//],
  [settingsWords.firefox, /Firefox\//],
  [settingsWords.chrome, /Chrome\//],
  [settingsWords.safari, /Safari\//],
] as const;
const SYSTEMS = [
  [settingsWords.android, /Android/],
  ['iOS', /iPhone|iPad/],
  [settingsWords.windows, /Windows/],
  ['macOS', /Mac OS X/],
  [settingsWords.linux, /Linux/],
] as const;
