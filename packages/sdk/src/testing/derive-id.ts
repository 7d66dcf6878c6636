/**
 * Ids of productions and firings in the test kit (P4): a function of cause, computation and ordinal, of fixed
 * length, so that a timer that arms itself again does not grow its id.
 */
export function deriveId(causeId: string, computation: string, ordinal: number): string {
  const text = `${causeId}\u0000${computation}\u0000${ordinal}`;
  let high = 0x811c9dc5;
  let low = 0x2545f491;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    high = Math.imul(high ^ unit, 0x01000193) ^ (low >>> 15);
    low = Math.imul(low + unit, 0x85ebca6b) ^ (high >>> 13);
  }
  return (high >>> 0).toString(16).padStart(8, '0') + (low >>> 0).toString(16).padStart(8, '0');
}
