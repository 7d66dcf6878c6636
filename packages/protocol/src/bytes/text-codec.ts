/**
 * Text as UTF-8 that loses nothing: a lone surrogate, which UTF-8 cannot express, is written as the three
 * bytes its number would have (as WTF-8 does). Otherwise two map keys, tags or values that differ only there
 * would be one after a restart, and a value would change on its way to another worker.
 */
const LONE_SURROGATE = /\p{Surrogate}/u;
const encoder = new TextEncoder();
const strict = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });
const lenient = new TextDecoder('utf-8', { ignoreBOM: true });

export function isWellFormed(text: string): boolean {
  return !LONE_SURROGATE.test(text);
}

export function encodeText(text: string): Uint8Array {
  return isWellFormed(text) ? encoder.encode(text) : encodeUnits(text);
}

/** Bytes that are neither become U+FFFD. */
export function decodeText(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes);
  } catch {
    return decodeUnits(bytes);
  }
}

function encodeUnits(text: string): Uint8Array {
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) as number;
    if (code >= 0xd800 && code <= 0xdfff) bytes.push(0xed, 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f));
    else bytes.push(...encoder.encode(character));
  }
  return Uint8Array.from(bytes);
}

function decodeUnits(bytes: Uint8Array): string {
  let text = '';
  let from = 0;
  for (let i = 0; i + 2 < bytes.length; i++) {
    const [lead, second, third] = [bytes[i], bytes[i + 1] as number, bytes[i + 2] as number];
    if (lead !== 0xed || second < 0xa0 || second > 0xbf || third >> 6 !== 2) continue;
    text += lenient.decode(bytes.subarray(from, i));
    text += String.fromCharCode(0xd000 | ((second & 0x3f) << 6) | (third & 0x3f));
    from = i + 3;
    i += 2;
  }
  return text + lenient.decode(bytes.subarray(from));
}
