/** G3: every node has a known type, settings that fit it, and code exactly where its type wants code. */
import { applyParameters, parameterOf } from '../config-parameters.ts';
import { codePathFault, fileRole } from '../folder/files.ts';
import { nearest } from '../nearest.ts';
import type { Node } from '../pipeline.ts';
import { SECRET_LITERAL } from '../secrets.ts';
import { settingProblems } from './setting-problems.ts';
import { called, type Subject, specOf } from './subject.ts';

export function checkNodes(subject: Subject): void {
  const owners = new Map<string, Node>();
  for (const node of subject.folder.pipeline.nodes.values()) {
    checkType(subject, node);
    checkCode(subject, node, owners);
    checkSettings(subject, node);
    checkSwitches(subject, node);
  }
  checkUnusedCode(subject, owners);
}

function checkType(subject: Subject, node: Node): void {
  if (node.type === '' || specOf(subject, node) !== undefined) return;
  const close = nearest(node.type, subject.types.keys());
  const remedy =
    close === undefined ? `known are ${[...subject.types.keys()].join(', ')}` : `did you mean '${close}'?`;
  const message = `node ${called(node)} has the unknown type '${node.type.slice(0, 80)}'; ${remedy}`;
  subject.report('unknown-type', { path: ['nodes', node.id, 'type'], node: node.id }, message);
}

function checkCode(subject: Subject, node: Node, owners: Map<string, Node>): void {
  const { report, folder } = subject;
  const where = { path: ['nodes', node.id, 'code'], node: node.id };
  if (node.type !== 'code') {
    if (node.code === undefined || specOf(subject, node) === undefined) return;
    report(
      'needless-code',
      where,
      `node ${called(node)} is of type '${node.type}' and takes no "code"; remove it`,
    );
    return;
  }
  if (node.code === undefined) {
    report(
      'missing-code',
      where,
      `node ${called(node)} has no "code"; add a path such as "nodes/${node.id}.ts"`,
    );
    return;
  }
  const fault = codePathFault(node.code);
  // On some file systems two spellings that differ in case are one file.
  const owner = owners.get(node.code.toLowerCase());
  owners.set(node.code.toLowerCase(), owner ?? node);
  if (fault !== undefined) {
    report('code-path', where, `node ${called(node)}: the code path "${node.code.slice(0, 200)}" ${fault}`);
  } else if (!folder.files.has(node.code)) {
    report(
      'missing-code',
      where,
      `node ${called(node)}: there is no file ${node.code}; add it or correct the path`,
    );
  } else if (owner !== undefined) {
    const message = `nodes ${called(owner)} and ${called(node)} share ${node.code}; give each its own file and put shared code into lib/`;
    report('shared-code', where, message);
  }
}

function checkSettings(subject: Subject, node: Node): void {
  const spec = specOf(subject, node);
  if (spec === undefined) return;
  const base = ['nodes', node.id, 'config'];
  const { config, unknown } = applyParameters(node.config, subject.params);
  for (const { parameter, path } of unknown) {
    const message = `node ${called(node)}: setting '${path.join('.')}' refers to the parameter '${parameter}', which has no value; declare it with a default under "parameters" or give it with --param`;
    subject.report('unknown-parameter', { path: [...base, ...path], node: node.id }, message);
  }
  for (const field of spec.expressions ?? []) {
    if (parameterOf(node.config[field]) === undefined) continue;
    const message = `node ${called(node)}: '${field}' is code and cannot be a parameter; read the parameter in a code node`;
    subject.report('setting', { path: [...base, field], node: node.id }, message);
  }
  for (const problem of settingProblems(spec.config, config)) {
    if (unknown.some(({ path }) => startsWith(problem.path, path))) continue;
    const where = { path: [...base, ...problem.path], key: problem.atKey, node: node.id };
    const code = problem.missing ? 'missing-setting' : problem.secret ? SECRET_LITERAL : 'setting';
    subject.report(code, where, `node ${called(node)} (${node.type}): ${problem.message}`);
  }
}

/** G5: without exactly-once a record may count twice (this version knows no such mode); what receivers of weak productions do outside may be done twice. */
function checkSwitches(subject: Subject, node: Node): void {
  if (node.idempotent || specOf(subject, node)?.kind !== 'computation') return;
  const off = !node.exactlyOnce ? 'exactlyOnce' : node.productions === 'weak' ? 'productions' : undefined;
  if (off === undefined) return;
  const where = { path: ['nodes', node.id, off], node: node.id, severity: 'warning' as const };
  const [what, risk] =
    off === 'exactlyOnce'
      ? [
          'is set to run without exactly-once',
          'this version keeps it, but one that does not may repeat a record',
        ]
      : ['has weak productions', 'what code behind it does outside of the pipeline may be done twice'];
  const text = `node ${called(node)} ${what} but is not marked "idempotent": ${risk}; mark it or switch back`;
  subject.report('not-idempotent', where, text);
}

function checkUnusedCode({ folder, report }: Subject, owners: ReadonlyMap<string, Node>): void {
  for (const path of folder.files.keys()) {
    if (fileRole(path) !== 'node' || owners.has(path.toLowerCase())) continue;
    report(
      'unused-code',
      { path: ['nodes'], severity: 'warning' },
      `no node uses ${path}; remove the file or name it in a node's "code"`,
    );
  }
}

function startsWith(path: readonly unknown[], prefix: readonly unknown[]): boolean {
  return prefix.every((step, i) => path[i] === step);
}
