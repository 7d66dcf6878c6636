/** Compares what the code of a node declares with the wires that are drawn to it. */
import ts from 'typescript-js';
import type { PortFinding, PortTarget } from './check-request.ts';

/** A file that names the types in question, so that the checker can be asked for them. */
export const PROBE_PATH = '/probe.ts';

export function probeFile(nodes: readonly PortTarget[]): string {
  const lines = nodes.map(({ node }) => {
    const computation = `typeof import('./${node}/node').default`;
    return `export type ${node} = [OutputsOf<${computation}>, InputsOf<${computation}>, import('./${node}/streams').Inputs];`;
  });
  return ["import type { InputsOf, OutputsOf } from './prelude';", ...lines, ''].join('\n');
}

export function checkPorts(program: ts.Program, nodes: readonly PortTarget[]): PortFinding[] {
  const checker = program.getTypeChecker();
  const probe = program.getSourceFile(PROBE_PATH);
  const findings: PortFinding[] = [];
  for (const statement of probe?.statements ?? []) {
    if (!ts.isTypeAliasDeclaration(statement) || !ts.isTupleTypeNode(statement.type)) continue;
    const target = nodes.find(({ node }) => node === statement.name.text);
    const [outputs, inputs, wired] = statement.type.elements.map((element) =>
      checker.getTypeFromTypeNode(element),
    );
    if (target === undefined || outputs === undefined || inputs === undefined || wired === undefined)
      continue;
    const fault = defaultExportFault(program, target.node, outputs);
    if (fault !== undefined) findings.push(fault);
    else {
      findings.push(...outputFindings(checker, target, outputs));
      if (target.kind === 'code') findings.push(...inputFindings(checker, target, inputs, wired));
    }
  }
  return findings;
}

function defaultExportFault(program: ts.Program, node: string, outputs: ts.Type): PortFinding | undefined {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(`/${node}/node.ts`);
  const module = source === undefined ? undefined : checker.getSymbolAtLocation(source);
  const exported =
    module === undefined
      ? undefined
      : checker.getExportsOfModule(module).find((s) => s.escapedName === 'default');
  if (source === undefined || exported === undefined) return { kind: 'no-default-export', node };
  const isNever = (outputs.flags & ts.TypeFlags.Never) !== 0;
  if (!isNever) return undefined;
  const found = checker.typeToString(checker.getTypeOfSymbol(exported));
  return { kind: 'not-a-computation', node, found: found.slice(0, 80) };
}

function outputFindings(checker: ts.TypeChecker, target: PortTarget, outputs: ts.Type): PortFinding[] {
  const { node } = target;
  if (outputs.flags & ts.TypeFlags.Any) return [];
  const known = checker.getPropertiesOfType(outputs).map((port) => port.name);
  const open = checker.getIndexTypeOfType(outputs, ts.IndexKind.String) !== undefined || known.length === 0;
  const findings: PortFinding[] = [];
  for (const port of target.outputs) {
    if (
      known.includes(port) ||
      (open && target.kind === 'code' && known.length === 0 && isPlainObject(outputs))
    )
      continue;
    if (checker.getIndexTypeOfType(outputs, ts.IndexKind.String) !== undefined) continue;
    findings.push({ kind: 'unknown-output', node, port, known });
  }
  if (target.kind !== 'code') return findings;
  for (const port of checker.getPropertiesOfType(outputs)) {
    if (!hasAny(checker, checker.getTypeOfSymbol(port), 6, new Set())) continue;
    findings.push({ kind: 'any-output', node, port: port.name, start: declaredAt(port, node) });
  }
  return findings;
}

function declaredAt(port: ts.Symbol, node: string): number {
  const declaration = port.declarations?.[0];
  return declaration?.getSourceFile().fileName === `/${node}/node.ts` ? declaration.getStart() : 0;
}

/** The bare `object` of an unannotated computation says nothing about ports. */
function isPlainObject(type: ts.Type): boolean {
  return (type.flags & ts.TypeFlags.NonPrimitive) !== 0;
}

function inputFindings(
  checker: ts.TypeChecker,
  { node }: PortTarget,
  declared: ts.Type,
  wired: ts.Type,
): PortFinding[] {
  if (declared.flags & ts.TypeFlags.Any || isPlainObject(declared)) return [];
  const open = checker.getIndexTypeOfType(declared, ts.IndexKind.String);
  const known = checker.getPropertiesOfType(declared).map((port) => port.name);
  const findings: PortFinding[] = [];
  for (const port of checker.getPropertiesOfType(wired)) {
    const wanted = checker.getPropertyOfType(declared, port.name);
    const expected = wanted === undefined ? open : checker.getTypeOfSymbol(wanted);
    const given = checker.getTypeOfSymbol(port);
    if (expected === undefined) findings.push({ kind: 'unknown-input', node, port: port.name, known });
    else if (!(given.flags & ts.TypeFlags.Unknown) && !checker.isTypeAssignableTo(given, expected)) {
      const text = (type: ts.Type): string => checker.typeToString(type).slice(0, 200);
      findings.push({
        kind: 'input-mismatch',
        node,
        port: port.name,
        given: text(given),
        expected: text(expected),
      });
    }
  }
  return findings;
}

function hasAny(checker: ts.TypeChecker, type: ts.Type, depth: number, seen: Set<ts.Type>): boolean {
  if (type.flags & ts.TypeFlags.Any) return true;
  if (depth === 0 || seen.has(type)) return false;
  seen.add(type);
  const inside = (part: ts.Type): boolean => hasAny(checker, part, depth - 1, seen);
  if (type.isUnionOrIntersection()) return type.types.some(inside);
  if (!(type.flags & ts.TypeFlags.Object)) return false;
  const items = checker.isArrayType(type) || checker.isTupleType(type);
  if (items) return checker.getTypeArguments(type as ts.TypeReference).some(inside);
  if (isBuiltIn(type)) return false;
  const index = checker.getIndexTypeOfType(type, ts.IndexKind.String);
  if (index !== undefined && inside(index)) return true;
  return checker.getPropertiesOfType(type).some((property) => inside(checker.getTypeOfSymbol(property)));
}

/** Date, Uint8Array, functions: their own methods are not the author's. */
function isBuiltIn(type: ts.Type): boolean {
  const file = type.symbol?.declarations?.[0]?.getSourceFile().fileName ?? '';
  return file.startsWith('/lib.typescript/') && !type.symbol?.name.startsWith('__');
}
