/** Text of a specification: what stands between backticks is code. */
export function Prose({ text }: { readonly text: string }) {
  const parts = text.split('`');
  // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text are their places
  return <>{parts.map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : part))}</>;
}

/** For who hears it. */
export const spoken = (text: string): string => text.replaceAll('`', '');
