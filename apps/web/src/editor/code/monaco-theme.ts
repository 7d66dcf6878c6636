/** Monaco's colours are those of the page: read from the tokens, again whenever the theme changes. */
import type { editor } from 'monaco-editor/editor';

const SYNTAX = {
  keyword: '--operator',
  string: '--injector',
  number: '--sink',
  comment: '--text-faint',
  type: '--computation',
  identifier: '--text',
  delimiter: '--text-soft',
} as const;

const PARTS = {
  'editor.background': '--surface',
  'editor.foreground': '--text',
  'editorLineNumber.foreground': '--text-faint',
  'editorLineNumber.activeForeground': '--text-soft',
  'editorLineNumber.dimmedForeground': '--text-faint',
  'diffEditor.insertedTextBackground': '--ok-wash',
  'diffEditor.insertedLineBackground': '--ok-wash',
  'diffEditor.removedTextBackground': '--error-wash',
  'diffEditor.removedLineBackground': '--error-wash',
  'diffEditor.unchangedRegionBackground': '--sunken',
  'diffEditor.unchangedRegionForeground': '--text-soft',
  'editor.lineHighlightBackground': '--sunken',
  'editor.lineHighlightBorder': '--sunken',
  'editor.placeholder.foreground': '--text-faint',
  'editorCursor.foreground': '--accent',
  'editorIndentGuide.background1': '--line',
  'editorIndentGuide.activeBackground1': '--line-strong',
  'editorBracketMatch.border': '--control-line',
  'editorBracketMatch.background': '--hover',
  'editorWidget.background': '--raised',
  'editorWidget.border': '--line-strong',
  'editorHoverWidget.background': '--raised',
  'editorHoverWidget.border': '--line-strong',
  'editorSuggestWidget.background': '--raised',
  'editorSuggestWidget.border': '--line-strong',
  'editorSuggestWidget.selectedBackground': '--accent-wash',
  'editorSuggestWidget.selectedForeground': '--text',
  'editorSuggestWidget.highlightForeground': '--accent-text',
  'editorSuggestWidget.focusHighlightForeground': '--accent-text',
  'editorError.foreground': '--error',
  'editorWarning.foreground': '--warn',
  'input.background': '--surface',
  'input.border': '--control-line',
  focusBorder: '--focus',
} as const;

export function followTheme({
  defineTheme,
  setTheme,
}: Pick<typeof editor, 'defineTheme' | 'setTheme'>): void {
  const paint = (): void => {
    const colour = reader();
    const rules = Object.entries(SYNTAX).map(([token, name]) => ({
      token,
      foreground: colour(name).slice(1),
    }));
    const colors = Object.fromEntries(Object.entries(PARTS).map(([part, name]) => [part, colour(name)]));
    const selection = `${colour('--accent')}40`;
    const faint = `${colour('--accent')}26`;
    defineTheme('millrace', {
      base: isDark(colour('--surface')) ? 'vs-dark' : 'vs',
      inherit: true,
      rules,
      colors: {
        ...colors,
        'editor.selectionBackground': selection,
        'editor.inactiveSelectionBackground': faint,
        // Translucent: what is selected lies below it.
        'editor.wordHighlightBackground': faint,
        'editor.wordHighlightStrongBackground': faint,
        'editor.wordHighlightTextBackground': faint,
        'scrollbarSlider.background': `${colour('--text-faint')}40`,
        'widget.shadow': '#00000022',
      },
    });
    setTheme('millrace');
  };
  paint();
  new MutationObserver(paint).observe(document.documentElement, { attributeFilter: ['data-theme'] });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', paint);
}

/** What a token is right now, as `#rrggbb`: only a painted property has `light-dark()` worked out. */
function reader(): (name: string) => string {
  const probe = document.createElement('canvas').getContext('2d');
  const element = document.createElement('span');
  element.hidden = true;
  document.body.append(element);
  queueMicrotask(() => element.remove());
  return (name) => {
    element.style.color = `var(${name})`;
    if (probe === null) return '#808080';
    probe.fillStyle = getComputedStyle(element).color;
    return String(probe.fillStyle);
  };
}

function isDark(colour: string): boolean {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  return red + green + blue < 384;
}
