// Makes access.log.gz: 8,000 lines in Apache's combined format, from a fixed seed. Line 5,431 is broken off.
import { existsSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const LINES = 8_000;
const BROKEN_LINE = 5_431;
const BEGIN = Date.UTC(2024, 2, 1);
const TWO_DAYS_MS = 2 * 24 * 3_600_000;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const PAGES = [
  '/',
  '/mill',
  '/mill/wheel',
  '/mill/race',
  '/river?from=source',
  '/images/sluice.png',
  '/robots.txt',
];
const AGENTS = [
  'Mozilla/5.0 (X11; Linux x86_64; rv:123.0) Gecko/20100101 Firefox/123.0',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.3 Safari/605.1.15',
  'ExampleBot/2.1 (+http://bot.example/)',
];
const STATUSES = [200, 200, 200, 200, 200, 200, 200, 304, 304, 301, 404, 404, 500];

/** mulberry32: small, and the same everywhere. */
function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function makeLog() {
  const random = randomFrom(20_130_826);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const two = (n) => String(n).padStart(2, '0');
  const requests = Array.from({ length: LINES }, (_, i) => {
    const time = BEGIN + Math.floor((i * TWO_DAYS_MS) / LINES / 1000) * 1000;
    // The server writes a line when the answer is out: up to a minute after the request.
    return { time, written: time + Math.floor(random() * 60) * 1000 };
  }).sort((a, b) => a.written - b.written);
  const lines = requests.map(({ time }) => {
    const at = new Date(time);
    const day = `${two(at.getUTCDate())}/${MONTHS[at.getUTCMonth()]}/${at.getUTCFullYear()}`;
    const clock = `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}:${two(at.getUTCSeconds())} +0000`;
    const status = pick(STATUSES);
    const bytes = status === 304 ? '-' : 200 + Math.floor(random() * 40_000);
    const referrer = random() < 0.3 ? 'http://mill.example/' : '-';
    const client = `192.0.2.${1 + Math.floor(random() * 250)}`;
    return `${client} - - [${day}:${clock}] "GET ${pick(PAGES)} HTTP/1.1" ${status} ${bytes} "${referrer}" "${pick(AGENTS)}"`;
  });
  const whole = lines[BROKEN_LINE - 1];
  lines[BROKEN_LINE - 1] = whole.slice(0, whole.indexOf('HTTP'));
  return `${lines.join('\n')}\n`;
}

export function prepare() {
  const path = fileURLToPath(new URL('access.log.gz', import.meta.url));
  if (!existsSync(path)) writeFileSync(path, gzipSync(makeLog()));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) prepare();
