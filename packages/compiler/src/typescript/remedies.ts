/** Where TypeScript's words do not say what to do in a pipeline, this does. */

const MISSING: ReadonlyMap<string, string> = new Map([
  ['console', 'there is no console in pipeline code; use ctx.log.info(…), which shows beside the node'],
  [
    'setTimeout',
    'there is no setTimeout in pipeline code; use ctx.setTimer(tag, time), which survives a restart',
  ],
  [
    'setInterval',
    'there is no setInterval in pipeline code; use ctx.setTimer(tag, time), which survives a restart',
  ],
  ['fetch', 'there is no network in pipeline code; bring data in with an injector'],
  ['process', 'there is no process in pipeline code; values come through ctx.params'],
  ['Deno', 'there is no Deno in pipeline code; values come through ctx.params'],
  ['Buffer', 'there is no Buffer in pipeline code; use Uint8Array and TextEncoder'],
  ['window', 'there is no window in pipeline code; it runs on the server'],
  ['document', 'there is no document in pipeline code; it runs on the server'],
  ['performance', 'there is no performance in pipeline code; use ctx.now'],
  ['crypto', 'there is no crypto in pipeline code; use ctx.random(), which is the same on every retry'],
]);

const CANNOT_FIND_NAME = new Set([2304, 2503, 2552, 2580, 2581, 2583, 2584, 2591, 2592]);

export function withRemedy(code: number, message: string): string {
  if (CANNOT_FIND_NAME.has(code)) {
    const name = /Cannot find (?:name|namespace) '([^']+)'/.exec(message)?.[1];
    return MISSING.get(name ?? '') ?? message.replace(/\. Do you need to .*$/s, '.');
  }
  if (code === 18046 || code === 2571) {
    return `${message} If it comes from an injector, give that injector's settings a "type".`;
  }
  return message;
}
