/**
 * Seals one value: AES-256-GCM, a fresh nonce each time. What it is called and which version it is are bound in, so
 * that a ciphertext moved to another name, workspace or version does not open. Pure but for the nonce.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

export interface SecretLabel {
  readonly workspace: string;
  readonly name: string;
  readonly version: string;
}

export interface SealedSecret {
  readonly nonce: Uint8Array;
  /** Ciphertext, then the tag. */
  readonly sealed: Uint8Array;
}

const TAG_BYTES = 16;
const NONCE_BYTES = 12;

export function sealSecret(key: Uint8Array, label: SecretLabel, value: string): SealedSecret {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(labelBytes(label));
  const sealed = Buffer.concat([cipher.update(value, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return { nonce, sealed };
}

/** Undefined for anything but what was sealed with this key under this label. */
export function openSecret(
  key: Uint8Array,
  label: SecretLabel,
  { nonce, sealed }: SealedSecret,
): string | undefined {
  const end = sealed.length - TAG_BYTES;
  if (end < 0 || nonce.length !== NONCE_BYTES) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(labelBytes(label));
  decipher.setAuthTag(sealed.subarray(end));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, end)), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

/** Lists of JSON: no two labels spell the same. */
function labelBytes({ workspace, name, version }: SecretLabel): Buffer {
  return Buffer.from(JSON.stringify(['millrace secret', workspace, name, version]));
}
