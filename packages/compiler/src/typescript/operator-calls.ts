/**
 * Calls of operators in somebody's code, tried with their constant arguments: what the SDK would refuse when the
 * pipeline is loaded is an issue of the check, as it is in a form. Whatever is not constant is given every kind of
 * value it may have; a call is at fault only if it is refused with each of them.
 */
import * as sdk from '@millrace/sdk';
import ts from 'typescript-js';
import type { CheckTarget, RawDiagnostic } from './check-request.ts';
import { type Constant, Constants } from './constants.ts';

const aggregates = ['count', 'sum', 'min', 'max', 'avg', 'distinct', 'approxDistinct'];

/** What the arguments of the SDK's functions are called, in their order. */
const PARAMETERS: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...['map', 'filter', 'flatMap', 'groupBy', 'forEach'].map((name) => [name, ['input', 'by']] as const),
  ...aggregates.map((name) => [name, ['of']] as const),
  ...['aggregate', 'deduplicate', 'sortByTime', 'pattern', 'table', 'track', 'save'].map(
    (name) => [name, ['input', 'options']] as const,
  ),
  ...['reduceByKey', 'reduceByWindow', 'runningReduce'].map((name) => [name, ['input', 'options']] as const),
  ...['intervalJoin', 'windowJoin', 'tableJoin', 'lookup'].map(
    (name) => [name, ['input', 'input', 'options']] as const,
  ),
  ['collect', ['of']],
  ['custom', ['own']],
  ['quantiles', ['of', 'at']],
  ['topK', ['of', 'options']],
  ['union', ['input']],
  ['tumbling', ['size', 'options']],
  ['hopping', ['size', 'slide', 'options']],
  ['sessions', ['gap']],
  ['calendar', ['unit', 'options']],
  ['globalWindow', []],
]);

const anything = (): undefined => undefined;
const durations = [1, 86_400_000];
const signed = [...durations, -86_400_000];
const repeated = ['1s', { type: 'records', every: 1 }];

/** What a setting may be where nothing is known of it. A call with one that is not here is not tried. */
const MAY_BE: ReadonlyMap<string, readonly unknown[]> = new Map<string, readonly unknown[]>([
  ...['size', 'slide', 'gap', 'within', 'timeout', 'allowedLateness'].map(
    (name) => [name, durations] as const,
  ),
  ...['lower', 'upper', 'offset'].map((name) => [name, signed] as const),
  ['of', [anything, ['1s']]],
  ...['by', 'join', 'reduce', 'inverse', 'init', 'update', 'select', 'where', 'deletes'].map(
    (name) => [name, [anything]] as const,
  ),
  ...['create', 'add', 'merge', 'result', 'subtract'].map((name) => [name, [anything]] as const),
  ['input', [sdk.input()]],
  ['window', [sdk.tumbling(1000), sdk.sessions(1000), sdk.globalWindow(), sdk.hopping(1000, 1)]],
  ['every', [1, '1s']],
  ['kind', ['inner', 'left']],
  ['zone', ['UTC']],
  ['unit', ['day']],
  ['trigger', [undefined]],
  ['early', repeated],
  ['late', repeated],
  ['onTime', ['if-new', 'always']],
  ['accumulation', ['accumulating', 'discarding', 'accumulating-and-retracting']],
  ['retractions', [false, true]],
  ['aggregates', [{ n: sdk.count() }]],
  ['steps', [[{ name: 'a', where: anything }]]],
  ['after', ['next']],
  ['oneOrMore', [false, true]],
  ['skip', ['none']],
  ['k', [1]],
  ['order', ['largest']],
  ['ties', ['cut']],
  ['at', [[0.5]]],
  ['type', ['time', 'records']],
  ['aggregate', [sdk.count()]],
  ['quantile', [0.5]],
]);
/** What the members of a list are called. */
const ITEMS = new Map([
  ['of', 'early'],
  ['at', 'quantile'],
]);

const MOST_TRIALS = 512;
const MOST_FAULTS = 20;

export function operatorFaults(
  program: ts.Program,
  target: CheckTarget,
  found: readonly RawDiagnostic[],
): RawDiagnostic[] {
  const source = program.getSourceFile(target.path);
  if (source === undefined || !source.text.includes('@millrace/sdk')) return [];
  const constants = new Constants(program.getTypeChecker());
  const faults: RawDiagnostic[] = [];
  const walk = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const name = constants.sdkName(node.expression);
      const call = name !== undefined && PARAMETERS.has(name) ? constants.of(node) : undefined;
      if (call?.kind === 'call')
        for (const { at, within, message } of faultsOf(call)) {
          const place = at.getSourceFile() === source ? at : node.expression;
          const [start, end] = [within.getStart(), within.getEnd()];
          // TypeScript has said so already.
          if (found.some((each) => each.start >= start && each.start <= end)) continue;
          const [from, length] = [place.getStart(source), place.getWidth(source)];
          const what = { start: from, length, code: 'setting', severity: 'error', message } as const;
          faults.push({ path: target.path, ...what });
        }
    }
    ts.forEachChild(node, walk);
  };
  walk(source);
  return faults;
}

type Call = Extract<Constant, { kind: 'call' }>;

interface Fault {
  readonly at: ts.Node;
  /** Where TypeScript would say the same. */
  readonly within: ts.Node;
  readonly message: string;
}

/** An argument, or one of the options. */
interface Slot {
  readonly name: string;
  readonly at: ts.Node;
  readonly within: ts.Node;
  readonly value: Constant;
}

function faultsOf(call: Call): readonly Fault[] {
  const faults: Fault[] = [];
  const slots = slotsOf(call);
  let refusal = slots && refusalOf(call, slots);
  while (slots !== undefined && refusal !== undefined && faults.length < MOST_FAULTS) {
    const message: string = refusal;
    // The one named first in the message, if it would be another message without it.
    const order = slots.map((slot) => ({ slot, place: placeOf(slot.name, message) }));
    order.sort((a, b) => (a.place < 0 ? 1e9 : a.place) - (b.place < 0 ? 1e9 : b.place));
    const culprit = order.find(({ slot }) => {
      if (slot.value.kind === 'unknown') return false;
      const without = slots.map((each) => (each === slot ? unknown(each) : each));
      return refusalOf(call, without) !== message;
    })?.slot;
    const at = culprit?.at ?? call.node;
    faults.push({
      at: culprit === undefined ? calleeOf(call) : at,
      within: culprit?.within ?? call.node,
      message,
    });
    if (culprit === undefined) break;
    slots.splice(slots.indexOf(culprit), 1, unknown(culprit));
    refusal = refusalOf(call, slots);
  }
  return faults;
}

const placeOf = (name: string, message: string): number => message.split(/\W+/).indexOf(name);
const calleeOf = ({ node }: Call): ts.Node => (ts.isCallExpression(node) ? node.expression : node);
const unknown = (slot: Slot): Slot => ({ ...slot, value: { kind: 'unknown', node: slot.at } });

/** Undefined: too little is known of it. */
function slotsOf({ name, args }: Call): Slot[] | undefined {
  const slots: Slot[] = [];
  for (const [i, arg] of args.entries()) {
    const called = PARAMETERS.get(name)?.[i];
    if (called === undefined || called === 'input') continue;
    if (called !== 'options' && called !== 'own') {
      slots.push({ name: called, at: arg.node, within: arg.node, value: arg });
    } else if (arg.kind === 'object') {
      for (const [field, { at, value }] of arg.fields)
        slots.push({ name: field, at: value.node, within: at, value });
    } else if (arg.kind !== 'data') return undefined;
  }
  return slots;
}

/** What the SDK says to it, whatever the unknown parts are; undefined where it takes it for some of them. */
function refusalOf({ name, args }: Call, slots: readonly Slot[]): string | undefined {
  const given = slots.map(({ name: called, value }) => {
    const values = valuesOf(value, called);
    return values === undefined ? undefined : values.map((each) => [called, each] as const);
  });
  const choices = product(given);
  if (choices === undefined || choices.length === 0) return undefined;
  let first: string | undefined;
  for (const choice of choices) {
    const refusal = tried(name, argumentsOf(name, args, new Map(choice)));
    if (refusal === undefined) return undefined;
    first ??= refusal;
  }
  return first;
}

function argumentsOf(
  name: string,
  args: readonly Constant[],
  given: ReadonlyMap<string, unknown>,
): unknown[] {
  const called = PARAMETERS.get(name) ?? [];
  return called.slice(0, args.length).map((parameter, i) => {
    if (parameter === 'input') return sdk.input();
    if (parameter !== 'options' && parameter !== 'own') return given.get(parameter);
    const option = args[i];
    if (option?.kind !== 'object') return undefined;
    return Object.fromEntries([...option.fields.keys()].map((field) => [field, given.get(field)]));
  });
}

function tried(name: string, args: readonly unknown[]): string | undefined {
  try {
    callOf(name)(...args);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : undefined;
  }
}

const callOf = (name: string) =>
  (sdk as unknown as Record<string, (...args: readonly unknown[]) => unknown>)[name] ?? anything;

/** Everything a constant may be, as the setting of this name; undefined where that is too much, or unknown. */
function valuesOf(constant: Constant, name: string): readonly unknown[] | undefined {
  switch (constant.kind) {
    case 'data':
      return [constant.value];
    case 'function':
      return [functionLike(constant.node)];
    case 'list':
      return product(constant.items.map((each) => valuesOf(each, ITEMS.get(name) ?? '')));
    case 'object': {
      const isNamed = name === 'aggregates';
      const fields = [...constant.fields].map(([field, { value }]) =>
        valuesOf(value, isNamed ? 'aggregate' : field)?.map((each) => [field, each] as const),
      );
      return product(fields)?.map((each) => Object.fromEntries(each));
    }
    case 'call': {
      const slots = PARAMETERS.has(constant.name) ? slotsOf(constant) : undefined;
      const given = slots?.map((slot) =>
        valuesOf(slot.value, slot.name)?.map((each) => [slot.name, each] as const),
      );
      const made = (given && product(given))?.flatMap((choice) => {
        const args = argumentsOf(constant.name, constant.args, new Map(choice));
        if (tried(constant.name, args) !== undefined) return [];
        return [callOf(constant.name)(...args)];
      });
      // One that is always refused is a fault of its own.
      return made === undefined || made.length === 0 ? MAY_BE.get(name) : made;
    }
    default:
      return MAY_BE.get(name);
  }
}

/** A stand-in that tells the text of what it stands for, and is never called. */
function functionLike(node: ts.Node): () => undefined {
  const text = node.getText();
  return Object.assign(() => undefined, { toString: () => text });
}

/** Every choice of one of each; undefined where there are too many, or nothing is known of one. */
function product<T>(of: readonly (readonly T[] | undefined)[]): T[][] | undefined {
  let choices: T[][] = [[]];
  for (const values of of) {
    if (values === undefined || values.length * choices.length > MOST_TRIALS) return undefined;
    choices = choices.flatMap((choice) => values.map((value) => [...choice, value]));
  }
  return choices;
}
