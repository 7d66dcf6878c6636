/**
 * JSON with every digit kept: an integer beyond ±2^53 arrives as bigint (model.md §1). Nearly all text has
 * none and is read by the engine's own parser; a number that came out beyond 2^53 makes it read again.
 * The value is frozen.
 */
import { freezeData, freezeParsed } from '@millrace/sdk/runtime';

export function parseJson(text: string): unknown {
  // Throws the usual error, with the usual message, for text that is not JSON at all.
  const plain: unknown = JSON.parse(text);
  return freezeParsed(plain) ? freezeData(new ExactParser(text).parse()) : plain;
}

/** Reads text that is known to be valid JSON. */
class ExactParser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  parse(): unknown {
    this.#space();
    const value = this.#value();
    return value;
  }

  #value(): unknown {
    switch (this.#text[this.#at]) {
      case '{':
        return this.#object();
      case '[':
        return this.#array();
      case '"':
        return this.#string();
      case 't':
        this.#at += 4;
        return true;
      case 'f':
        this.#at += 5;
        return false;
      case 'n':
        this.#at += 4;
        return null;
      default:
        return this.#number();
    }
  }

  #object(): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    this.#at++;
    this.#space();
    while (this.#text[this.#at] !== '}') {
      const name = this.#string();
      this.#space();
      this.#at++;
      this.#space();
      const value = this.#value();
      if (name === '__proto__')
        Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
      else object[name] = value;
      this.#comma();
    }
    this.#at++;
    return object;
  }

  #array(): unknown[] {
    const array: unknown[] = [];
    this.#at++;
    this.#space();
    while (this.#text[this.#at] !== ']') {
      array.push(this.#value());
      this.#comma();
    }
    this.#at++;
    return array;
  }

  #comma(): void {
    this.#space();
    if (this.#text[this.#at] === ',') {
      this.#at++;
      this.#space();
    }
  }

  #string(): string {
    const start = this.#at++;
    while (this.#text[this.#at] !== '"') this.#at += this.#text[this.#at] === '\\' ? 2 : 1;
    this.#at++;
    return JSON.parse(this.#text.slice(start, this.#at)) as string;
  }

  #number(): number | bigint {
    const start = this.#at;
    while (this.#at < this.#text.length && '+-.eE0123456789'.includes(this.#text[this.#at] as string))
      this.#at++;
    const digits = this.#text.slice(start, this.#at);
    const number = Number(digits);
    return /^-?\d+$/.test(digits) && !Number.isSafeInteger(number) ? BigInt(digits) : number;
  }

  #space(): void {
    while (this.#at < this.#text.length && ' \t\r\n'.includes(this.#text[this.#at] as string)) this.#at++;
  }
}
