/** Only what is another text: writing the same text costs a layout too. The node of text stays. */
export function writeText(element: HTMLElement | undefined, text: string): void {
  const inner = element?.firstChild;
  if (inner instanceof Text) {
    if (inner.data !== text) inner.data = text;
  } else if (text !== '') element?.append(text);
}
