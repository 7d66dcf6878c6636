/** The sample *Flight delays*, and what must come out of it by a computation without any engine. */
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Line, tempFolder } from './folders.ts';

export const samples = fileURLToPath(new URL('../../samples/', import.meta.url));
const HOUR = 3_600_000;

export interface Flight {
  readonly date: string;
  readonly delay: number;
  readonly origin: string;
}

export function flights(): Flight[] {
  execFileSync(process.execPath, [join(samples, 'prepare.mjs')]);
  return JSON.parse(readFileSync(join(samples, 'flight-delays/flights-2k.json'), 'utf8')) as Flight[];
}

export function leftAt({ date, delay }: Flight): number {
  return Date.parse(`${date.replaceAll('/', '-').replace(' ', 'T')}Z`) + delay * 60_000;
}

/** How far the input is out of order, in ms. */
export function disorder(input: readonly Flight[]): number {
  let latest = Number.NEGATIVE_INFINITY;
  let most = 0;
  for (const flight of input) {
    latest = Math.max(latest, leftAt(flight));
    most = Math.max(most, latest - leftAt(flight));
  }
  return most;
}

/** A copy of a sample's folder, without what a run of it left behind. */
export function sampleCopy(name: string): string {
  const folder = tempFolder(name);
  cpSync(join(samples, name), folder, {
    recursive: true,
    filter: (path) => !/\.millrace|\.lock$|result\.jsonl$|alerts\.jsonl$/.test(path),
  });
  return folder;
}

export function flightDelays(input: readonly Flight[], slackMs: number): string {
  const folder = sampleCopy('flight-delays');
  writeFileSync(join(folder, 'flights-2k.json'), JSON.stringify(input));
  const path = join(folder, 'pipeline.json');
  const pipeline = JSON.parse(readFileSync(path, 'utf8'));
  pipeline.nodes.n_flights.config.slack = `${slackMs}ms`;
  writeFileSync(path, JSON.stringify(pipeline));
  return folder;
}

export interface Delays {
  readonly key: string;
  readonly start: number;
  readonly flights: number;
  readonly meanDelay: number;
  readonly longestDelay: number;
}

/** Per airport and hour, sorted. */
export function delaysOf(input: readonly Flight[]): Delays[] {
  const hours = new Map<string, Flight[]>();
  for (const flight of input) {
    const place = `${flight.origin} ${Math.floor(leftAt(flight) / HOUR) * HOUR}`;
    hours.set(place, [...(hours.get(place) ?? []), flight]);
  }
  return sortedDelays(
    [...hours].map(([place, left]) => {
      const [key = '', start] = place.split(' ');
      const delays = left.map(({ delay }) => delay);
      const meanDelay = delays.reduce((sum, delay) => sum + delay, 0) / left.length;
      return {
        key,
        start: Number(start),
        flights: left.length,
        meanDelay,
        longestDelay: Math.max(...delays),
      };
    }),
  );
}

export function delaysIn(lines: readonly Line[]): Delays[] {
  return sortedDelays(
    lines.map(({ key, value, pane }) => {
      const { flights: n, meanDelay, longestDelay } = value as Omit<Delays, 'key' | 'start'>;
      return { key, start: pane?.start ?? Number.NaN, flights: n, meanDelay, longestDelay };
    }),
  );
}

const sortedDelays = (delays: Delays[]): Delays[] =>
  delays.sort((a, b) => (a.key === b.key ? a.start - b.start : a.key < b.key ? -1 : 1));
