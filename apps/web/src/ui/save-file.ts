/** Hands bytes to the browser as a download. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name.replace(/[/\\:*?"<>|]/g, '-');
  link.click();
  // The download has its own hold on the content by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
