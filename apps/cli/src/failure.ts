/**
 * An error for people: its message, and the messages of what caused it. The stack is for those who look for a
 * bug of ours (`MILLRACE_DEBUG=1`).
 */
export function failureText(error: unknown, withStack: boolean): string {
  if (!(error instanceof Error)) return `millrace: ${String(error)}`;
  if (withStack) return `millrace: ${error.stack ?? error.message}`;
  const messages = [error.message];
  for (let cause = error.cause; cause instanceof Error && messages.length < 5; cause = cause.cause) {
    if (!messages.some((message) => message.includes((cause as Error).message))) messages.push(cause.message);
  }
  return `millrace: ${messages.join('\n  because ')}`;
}
