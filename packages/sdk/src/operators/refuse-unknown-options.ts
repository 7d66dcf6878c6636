/** A misspelt or unsupported setting must not be ignored: its author believes that it works. */
export function refuseUnknownOptions(options: object, known: readonly string[], what: string): void {
  for (const name of Object.keys(options)) {
    if (!known.includes(name)) {
      throw new TypeError(
        `${what} has no option ${JSON.stringify(name)} in this version; it takes ${known.join(', ')}.`,
      );
    }
  }
}
