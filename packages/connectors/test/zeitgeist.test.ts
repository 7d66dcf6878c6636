import type { PipelineCode } from '@millrace/compiler';
import type { StreamRecord } from '@millrace/sdk';
import { Harness } from '@millrace/sdk/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { codeOf, computationOf, folderOf } from './sample-folders.ts';

const BEGIN = Date.UTC(2020, 0, 1);
const SLACK_MS = 1000;

interface Query {
  readonly value: { readonly region: string; readonly query: string };
  readonly timestamp: number;
}

interface Region {
  /** What it sends in the n-th second of a run. */
  readonly sent: readonly (readonly Query[])[];
  /** Its watermark after that second. */
  readonly watermarks: readonly number[];
}

type AnyHarness = Harness<Record<string, unknown>, Record<string, { second: number }>>;

let code: PipelineCode;
beforeAll(async () => {
  code = await codeOf(folderOf('zeitgeist'));
});

const started = (node: string): AnyHarness =>
  new Harness(computationOf(code, node), { isolated: false }) as unknown as AnyHarness;

/** What a region's injector and the node `queries` make, 100 slots a second. */
function regionOf(injector: string, count: number): Region {
  const { handlers } = computationOf(code, 'n_queries');
  const sent: Query[][] = Array.from({ length: count / 100 }, () => []);
  const watermarks: number[] = [];
  let latest = Number.NEGATIVE_INFINITY;
  for (let n = 0; n < count; n++) {
    const value = code.values[injector]?.(n, 0, Math.random);
    const timestamp = Number(code.timestamps[injector]?.(value, {} as StreamRecord));
    expect(latest - timestamp).toBeLessThanOrEqual(SLACK_MS);
    latest = Math.max(latest, timestamp);
    const second = Math.floor(n / 100);
    const produce = (_: string, query: Query['value']): void =>
      void sent[second]?.push({ value: query, timestamp });
    handlers.processRecord({ value, timestamp } as StreamRecord, { produce } as never);
    watermarks[second] = latest - SLACK_MS;
  }
  return { sent, watermarks };
}

interface Alert {
  readonly alert: string;
  readonly query: string;
  readonly second: Date;
}

interface Told extends Alert {
  /** The watermark of the counter at that moment. */
  readonly watermark: number;
}

/** Runs the three stages side by side, all regions second by second; `patient` are those the watermark waits for. */
function run(regions: readonly Region[], patient = regions): Told[] {
  const [counter, model, detector] = ['n_counter', 'n_model', 'n_detector'].map(started) as [
    AnyHarness,
    AnyHarness,
    AnyHarness,
  ];
  const told: Told[] = [];
  const taken = { counts: 0, compared: 0, alerts: 0 };
  let watermark = Number.NEGATIVE_INFINITY;
  const fresh = (from: AnyHarness, stream: keyof typeof taken) => {
    const all = from.outputs(stream);
    const news = all.slice(taken[stream]);
    taken[stream] = all.length;
    return news;
  };
  const passOn = (): void => {
    for (const record of fresh(counter, 'counts')) model.record({ ...record, stream: 'counts' });
    for (const record of fresh(model, 'compared')) detector.record({ ...record, stream: 'compared' });
    for (const { value } of fresh(detector, 'alerts'))
      told.push({ ...(value as unknown as Alert), watermark });
  };
  for (let step = 0; regions.some(({ sent }) => step < sent.length); step++) {
    for (const { sent } of regions) {
      for (const { value, timestamp } of sent[step] ?? []) {
        counter.record({ stream: 'queries', key: value.query, value, timestamp });
      }
    }
    passOn();
    const held = patient.flatMap(({ watermarks }) => watermarks[step] ?? []);
    if (held.length > 0) watermark = Math.min(...held);
    counter.watermark(watermark);
    passOn();
  }
  counter.end();
  passOn();
  return told;
}

const summary = (told: readonly Told[]): string[] =>
  told.map(({ alert, query, second }) => `${alert} ${query} ${(second.getTime() - BEGIN) / 1000}`).sort();

describe('Zeitgeist', () => {
  it('W1: two spikes and a dip are told and nothing else, though a region falls 5 s behind', () => {
    const told = run(allRegions());
    expect(summary(told)).toEqual([
      ...[60, 61, 62, 63].map((second) => `dip weather ${second}`),
      ...[75, 76, 77, 78, 79].map((second) => `spike carnival of venice ${second}`),
      ...[40, 41, 42].map((second) => `spike football ${second}`),
    ]);
    for (const { alert, second, watermark } of told) {
      const end = second.getTime() + 1000;
      if (alert === 'dip') expect(watermark).toBeGreaterThanOrEqual(end);
      else expect(watermark).toBeLessThan(end - 4000);
    }
  });

  it('control: a watermark that does not wait for the region behind makes its absence look like dips', () => {
    const [europe, america, asia] = allRegions() as [Region, Region, Region];
    const dips = summary(run([europe, america, asia], [europe, america])).filter((line) =>
      line.startsWith('dip'),
    );
    expect(dips).toContain('dip recipes 20');
    expect(dips.length).toBeGreaterThan(100);
  });
});

function allRegions(): Region[] {
  const plan = { n_europe: 12_000, n_america: 12_000, n_asia: 12_500 };
  return Object.entries(plan).map(([region, count]) => regionOf(region, count));
}
