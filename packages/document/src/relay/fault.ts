/** Why an update is not taken. */
export type UpdateFault =
  /** Something it builds on is not here: send what is missing, with our state vector. */
  | { readonly kind: 'resync' }
  | { readonly kind: 'refused'; readonly code: RefusalCode; readonly message: string };

export type RefusalCode =
  | 'too-large'
  | 'draft-too-large'
  | 'malformed'
  | 'foreign-client'
  | 'wrong-place'
  | 'wrong-content'
  | 'stamp'
  | 'replaces-entity'
  | 'removes-entity'
  | 'too-many';

export const RESYNC: UpdateFault = { kind: 'resync' };

export function refused(code: RefusalCode, message: string): UpdateFault {
  return { kind: 'refused', code, message };
}
