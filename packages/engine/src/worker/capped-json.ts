/**
 * A value as JSON text for people, of a bounded length: the work stops where the text would be too long, so that
 * looking at a record costs no more than showing it. Total: what JSON cannot express is shown as text.
 */
import { jsonText } from './json-text.ts';

export interface CappedText {
  readonly text: string;
  /** There was more; `text` is only its beginning. */
  readonly cut: boolean;
}

/** `most` in UTF-16 units. */
export function cappedJson(value: unknown, most: number): CappedText {
  const writer = new CappedWriter(most);
  try {
    writer.value(value);
    return { text: writer.text, cut: false };
  } catch {
    // Full; or nested deeper than the stack reaches.
    return { text: writer.text.slice(0, most), cut: true };
  }
}

class Full extends Error {}

class CappedWriter {
  text = '';
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  value(value: unknown): void {
    if (typeof value === 'string') this.#string(value);
    else if (typeof value === 'number' && !Number.isFinite(value)) this.#add(`"${value}"`);
    else if (Array.isArray(value)) this.#array(value);
    else if (typeof value === 'object' && value !== null && !(value instanceof Date) && !isBytes(value))
      this.#object(value as Record<string, unknown>);
    else if (isBytes(value)) this.#add(jsonText(value.subarray(0, this.#most)));
    else this.#add(scalar(value));
  }

  #string(value: string): void {
    // Escapes only make it longer, so what is beyond the room is never needed.
    const room = this.#most - this.text.length;
    this.#add(JSON.stringify(value.length > room ? value.slice(0, room + 1) : value));
  }

  #array(items: readonly unknown[]): void {
    this.#add('[');
    for (let i = 0; i < items.length; i++) {
      if (i > 0) this.#add(',');
      this.value(items[i]);
    }
    this.#add(']');
  }

  #object(value: Record<string, unknown>): void {
    this.#add('{');
    let first = true;
    for (const name of Object.keys(value)) {
      if (value[name] === undefined) continue;
      if (!first) this.#add(',');
      first = false;
      this.#string(name);
      this.#add(':');
      this.value(value[name]);
    }
    this.#add('}');
  }

  #add(text: string): void {
    this.text += text;
    if (this.text.length > this.#most) throw new Full();
  }
}

function isBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array;
}

function scalar(value: unknown): string {
  try {
    return jsonText(value);
  } catch {
    return JSON.stringify(String(value));
  }
}
