/**
 * Keeps the secrets a connector was given out of what it says: errors, dead letters, messages.
 *
 * A target may send back what it was sent, and drivers put addresses into their errors; so every text of a connector
 * is looked through for the secrets it resolved, in the spellings they commonly take: as they are, in a URL, in
 * JSON, in base64, and the parts of an address or of `Bearer …`. Parts that are short are left alone: taking each
 * "443" out would leave no message to read.
 * Not handled: a target that sends a secret back in a spelling of its own (reversed, hashed, in hex).
 */
const SHOWN = '•••';
const SHORTEST_PART = 6;
const DEEPEST = 8;

export class Redaction {
  #spellings: readonly string[] = [];

  /** Returns the value, so that resolving and learning are one step. */
  learn(value: string): string {
    if (value === '') return value;
    const all = new Set([...this.#spellings, ...spellingsOf(value)]);
    // The longest first: a part taken out of the whole would leave the rest of it behind.
    this.#spellings = [...all].sort((a, b) => b.length - a.length);
    return value;
  }

  get knowsNothing(): boolean {
    return this.#spellings.length === 0;
  }

  text(text: string): string {
    return this.#spellings.reduce((shown, secret) => shown.replaceAll(secret, SHOWN), text);
  }

  /** The same error, with every text in it, in its causes and in what drivers add, looked through. */
  error(thrown: unknown): unknown {
    if (this.knowsNothing) return thrown;
    if (typeof thrown === 'string') return this.text(thrown);
    this.#clean(thrown, 0, new Set());
    return thrown;
  }

  #clean(value: unknown, depth: number, seen: Set<object>): void {
    if (!isText(value) || seen.has(value) || depth > DEEPEST) return;
    seen.add(value);
    for (const name of Object.getOwnPropertyNames(value)) {
      const property = Object.getOwnPropertyDescriptor(value, name);
      if (property === undefined) continue;
      // `stack` is an accessor in some engines, a value in others.
      const found: unknown = property.get === undefined ? property.value : Reflect.get(value, name);
      if (typeof found !== 'string') {
        this.#clean(found, depth + 1, seen);
        continue;
      }
      const shown = this.text(found);
      if (shown !== found) Reflect.defineProperty(value, name, { value: shown, configurable: true });
    }
  }
}

/** What only carries texts; a socket or a client that hangs on an error is in use and stays as it is. */
function isText(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  if (value instanceof Error || Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function spellingsOf(value: string): readonly string[] {
  const parts = [...words(value), ...partsOfUrl(value)].filter((part) => part.length >= SHORTEST_PART);
  return [value, value.trim(), ...parts].flatMap(disguises).filter((text) => text !== '');
}

function disguises(text: string): readonly string[] {
  const bytes = Buffer.from(text);
  return [
    text,
    encodeURIComponent(text),
    encodeURI(text),
    JSON.stringify(text).slice(1, -1),
    ...(text.length < SHORTEST_PART ? [] : [bytes.toString('base64'), bytes.toString('base64url')]),
  ];
}

/** `Bearer abc` is known by `abc`. */
function words(value: string): readonly string[] {
  return value.split(/[\s,;]+/);
}

function partsOfUrl(value: string): readonly string[] {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(value) || !URL.canParse(value)) return [];
  const { username, password, pathname, searchParams } = new URL(value);
  const pair = `${decoded(username)}:${decoded(password)}`;
  return [
    ...[password, decoded(password)],
    ...(password === '' ? [] : [pair]),
    ...pathname.split('/'),
    ...searchParams.values(),
  ];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
