/** What a stream may be called. */
export const MAX_STREAM_NAME = 100;

export function isStreamName(name: string): boolean {
  return name.trim() !== '' && name.length <= MAX_STREAM_NAME && !/\p{Cc}/u.test(name);
}
