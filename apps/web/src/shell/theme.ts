/** System, light or dark: in a cookie, so that the server writes it into the first bytes of the page. */
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const YEAR_S = 31_536_000;

const given = document.documentElement.dataset.theme;
export const themeStore = createStore<{ readonly theme: Theme }>(() => ({
  theme: THEMES.find((theme) => theme === given) ?? 'system',
}));

export function setTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store needs https, and we work on plain http
  document.cookie = `millrace_theme=${theme};path=/;max-age=${YEAR_S};samesite=lax`;
  themeStore.setState({ theme });
}

export const useTheme = (): Theme => useStore(themeStore, (state) => state.theme);

const dark = matchMedia('(prefers-color-scheme: dark)');

/** What is seen now; for what draws without CSS (code editor, charts). */
export const isDark = (): boolean => {
  const { theme } = themeStore.getState();
  return theme === 'system' ? dark.matches : theme === 'dark';
};

/** Calls back when what is seen changes, by choice or by the system; gives the way to stop. */
export function onThemeChange(listener: () => void): () => void {
  dark.addEventListener('change', listener);
  const stop = themeStore.subscribe(listener);
  return () => {
    dark.removeEventListener('change', listener);
    stop();
  };
}

/** A token's colour as `rgb(…)`, for what cannot read CSS variables. */
export function tokenColour(token: `--${string}`): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${token})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
