/** Code nodes that are an operator and nothing else: the graph's rules about operators hold for them, too. */
import ts from 'typescript-js';
import type { OperatorFinding, PortTarget } from './check-request.ts';
import { type Constant, Constants } from './constants.ts';

export function operatorFindings(program: ts.Program, nodes: readonly PortTarget[]): OperatorFinding[] {
  return nodes.flatMap(({ node, kind }) => {
    const source = kind === 'code' ? program.getSourceFile(`/${node}/node.ts`) : undefined;
    if (source === undefined) return [];
    const constants = new Constants(program.getTypeChecker());
    const exported = constants.defaultOf(source);
    const call = exported && constants.of(exported);
    if (exported === undefined || call?.kind !== 'call') return [];
    const place = [call.node, exported].find((each) => each.getSourceFile() === source) ?? source;
    const at = ts.isCallExpression(place) ? place.expression : place;
    const finding = { node, operator: call.name, settings: settingsOf(call) };
    return [{ ...finding, start: at.getStart(source), length: at === source ? 0 : at.getWidth(source) }];
  });
}

function settingsOf({ args }: Extract<Constant, { kind: 'call' }>): OperatorFinding['settings'] {
  const options = args.find((each) => each.kind === 'object');
  if (options === undefined) return {};
  const [window, trigger, accumulation, retractions] = [
    ...['window', 'trigger', 'accumulation', 'retractions'],
  ].map((name) => options.fields.get(name)?.value);
  const type = window?.kind === 'call' ? WINDOWS.get(window.name) : undefined;
  const early = trigger?.kind === 'object' ? trigger.fields.get('early')?.value : trigger;
  const how = accumulation?.kind === 'data' ? accumulation.value : undefined;
  return {
    ...(type === undefined ? {} : { window: { type } }),
    ...(isGiven(early) ? { trigger: { early: '1s' } as const } : {}),
    ...(typeof how === 'string' ? { accumulation: how } : {}),
    ...(isGiven(retractions) ? { retractions: true } : {}),
  };
}

/** Of what is not constant: it may be. */
function isGiven(constant: Constant | undefined): boolean {
  if (constant?.kind !== 'data') return constant !== undefined;
  return constant.value !== undefined && constant.value !== false;
}

const WINDOWS = new Map([
  ['tumbling', 'tumbling'],
  ['hopping', 'hopping'],
  ['sessions', 'session'],
  ['calendar', 'calendar'],
  ['globalWindow', 'global'],
]);
