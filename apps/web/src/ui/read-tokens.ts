/** Reads tokens.css for the test of its contrasts. */
type Colours = ReadonlyMap<string, string>;

export function readTokens(css: string): { readonly light: Colours; readonly dark: Colours } {
  const light = new Map<string, string>();
  const dark = new Map<string, string>();
  for (const [, name, inLight, inDark] of css.matchAll(
    /--([\w-]+):\s*light-dark\((#[0-9a-f]{6}),\s*(#[0-9a-f]{6})\)/g,
  )) {
    light.set(name!, inLight!);
    dark.set(name!, inDark!);
  }
  return { light, dark };
}

/** As WCAG measures it, 1 to 21. */
export function contrast(one: string | undefined, other: string | undefined): number {
  if (!one || !other) throw new Error('no such token');
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
