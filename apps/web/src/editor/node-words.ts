/** What a node says of itself in one line. */
import { type Node, parameterOf, secretOf } from '@millrace/graph';
import { editorWords } from '../text/strings/editor.ts';

const words = editorWords.nodes;

/** Kinds as the eye tells them apart: operators are computations with a form. */
export type Look = 'injector' | 'computation' | 'operator' | 'sink' | 'unknown';

export function lookOf(type: string): Look {
  if (type === 'code') return 'computation';
  const [kind] = type.split('/');
  return kind === 'injector' || kind === 'operator' || kind === 'sink' ? kind : 'unknown';
}

export function nodeWords({ type, config, code }: Node): string {
  const say = WORDS[type];
  return (say === undefined ? '' : say(config, code)).trim();
}

type Config = Node['config'];

const WORDS: Readonly<Record<string, (config: Config, code: string | undefined) => string>> = {
  code: (_, code) => code ?? words.typeScript,
  'operator/map': expression,
  'operator/filter': expression,
  'operator/flatMap': expression,
  'operator/union': () => words.joinsStreams,
  'operator/aggregate': ({ window, aggregates }) =>
    joined(windowWords(window), Object.keys(object(aggregates)).join(', ')),
  'operator/deduplicate': ({ by, within }) => joined(shown(by) || words.byKey, words.within(shown(within))),
  'operator/intervalJoin': ({ lower, upper }) => words.apart(shown(lower), shown(upper)),
  'operator/windowJoin': ({ window, kind }) => joined(windowWords(window), shown(kind)),
  'operator/lookup': ({ kind }) => shown(kind) || words.inner,
  'operator/table': ({ deletes }) => joined(words.latestOfKey, deletes && words.without(shown(deletes))),
  'operator/tableJoin': ({ kind }) => shown(kind) || words.inner,
  'operator/sortByTime': ({ by }) => shown(by),
  'operator/pattern': ({ steps, within }) => joined(stepWords(steps), within && words.within(shown(within))),
  'operator/reduceByKey': ({ reduce, every }) => joined(shown(reduce), every && words.every(shown(every))),
  'operator/reduceByWindow': ({ reduce, size, slide }) =>
    joined(shown(reduce), shown(size), slide && words.every(shown(slide))),
  'operator/save': ({ every }) => joined(every && words.every(shown(every))),
  'operator/runningReduce': ({ reduce }) => shown(reduce),
  'operator/track': ({ timeout }) => joined(timeout && words.untilSilent(shown(timeout))),
  'operator/groupBy': expression,
  'operator/forEach': expression,
  'injector/file': ({ path, format }) => joined(shown(path), shown(format)),
  'injector/file-table': ({ path, refresh }) =>
    joined(shown(path), refresh ? words.every(shown(refresh)) : words.once),
  'injector/postgres-table': ({ table, refresh }) =>
    joined(shown(table), refresh ? words.every(shown(refresh)) : words.once),
  'injector/generator': ({ rate, count }) =>
    joined(
      rate === 'max' ? words.asFastAsTaken : words.perSecond(shown(rate ?? 1)),
      count && words.inAll(shown(count)),
    ),
  'injector/interval': ({ every, at, zone }) =>
    at === undefined ? words.every(shown(every) || '…') : joined(shown(at), shown(zone)),
  'injector/host-metrics': ({ every }) => words.every(shown(every ?? '1s')),
  'injector/http': ({ slack }) => joined(words.takesPosted, slack && words.slack(shown(slack))),
  'sink/file': ({ path, existing }) => joined(shown(path), shown(existing)),
  'sink/postgres': ({ table, mode }) => joined(shown(table), shown(mode ?? 'append')),
  'sink/http': ({ url, method }) => `${shown(method ?? 'POST')} ${shown(url)}`,
  'sink/discard': () => words.keepsNone,
};

function windowWords(window: unknown): string {
  const { type, size, slide, gap, unit, zone } = object(window);
  if (type === 'session') return words.session(shown(gap));
  if (type === 'calendar') return joined(words.every(shown(unit)), shown(zone));
  if (type === 'global') return words.allTime;
  return joined(`${shown(type)} ${shown(size)}`, slide && words.every(shown(slide)));
}

function stepWords(steps: unknown): string {
  const names = Array.isArray(steps) ? steps.map((step) => shown(object(step).name)) : [];
  return names.filter((name) => name !== '').join(' → ');
}

function expression({ expression: text }: Config): string {
  return shown(text).replace(/\s+/g, ' ');
}

function joined(...parts: readonly unknown[]): string {
  return parts.filter((part) => typeof part === 'string' && part.trim() !== '').join(' · ');
}

function shown(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return value.toLocaleString('en');
  const name = parameterOf(value) ?? secretOf(value);
  return name === undefined ? '' : `{${name}}`;
}

function object(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
