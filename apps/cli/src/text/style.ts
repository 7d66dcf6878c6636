/** Colours of a terminal; without colour every function gives back its text. */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  yellow(text: string): string;
  green(text: string): string;
}

export function styleFor(colour: boolean): Style {
  const wrap = (start: number, end: number) => (text: string) =>
    colour ? `\u001b[${start}m${text}\u001b[${end}m` : text;
  return {
    bold: wrap(1, 22),
    dim: wrap(2, 22),
    red: wrap(31, 39),
    yellow: wrap(33, 39),
    green: wrap(32, 39),
  };
}

/** https://no-color.org and what `FORCE_COLOR` means to Node's own tools. */
export function wantsColour(env: Readonly<Record<string, string | undefined>>, isTty: boolean): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== '0';
  return isTty && env.TERM !== 'dumb';
}
