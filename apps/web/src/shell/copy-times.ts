/** What is copied of a page that shows times: text in which each time is ISO 8601 with its offset. */

const BLOCKS = new Set(['DIV', 'P', 'LI', 'TR', 'H1', 'H2', 'H3', 'DT', 'DD', 'SECTION', 'ARTICLE']);
const CELLS = new Set(['TD', 'TH']);

/** Gives the way to stop. */
export function copyTimesAsIso(): () => void {
  const onCopy = (event: ClipboardEvent) => {
    const selection = getSelection();
    if (event.defaultPrevented || !selection || selection.isCollapsed || !event.clipboardData) return;
    const text = textOf(selection);
    if (text === undefined) return;
    event.clipboardData.setData('text/plain', text);
    event.preventDefault();
  };
  document.addEventListener('copy', onCopy);
  return () => document.removeEventListener('copy', onCopy);
}

/** Undefined: no time is in it, the browser copies as ever. */
function textOf(selection: Selection): string | undefined {
  const range = selection.getRangeAt(0);
  const around = elementOf(range.commonAncestorContainer)?.closest('time');
  if (around) return selection.toString() === around.textContent ? around.dateTime : undefined;
  const copied = range.cloneContents();
  if (!copied.querySelector('time[datetime]')) return undefined;
  return written(copied)
    .replace(/[ \t]*\n\s*/g, '\n')
    .trim();
}

const elementOf = (node: Node): Element | null => (node instanceof Element ? node : node.parentElement);

function written(node: Node): string {
  if (node instanceof HTMLTimeElement) return node.dateTime;
  if (node.nodeType === Node.TEXT_NODE) return node.textContent ?? '';
  const inner = [...node.childNodes].map(written).join('');
  if (CELLS.has(node.nodeName)) return `${inner}\t`;
  return BLOCKS.has(node.nodeName) || node.nodeName === 'BR' ? `${inner}\n` : inner;
}
