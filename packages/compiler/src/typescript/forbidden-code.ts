/**
 * What pipeline code may not contain, whatever TypeScript says about it: the SDK, its own `./streams` and `#lib`
 * are the only imports, nothing is loaded at run time, nothing waits at import. Each refusal names the remedy.
 */
import ts from 'typescript-js';
import { folderOf, joinPath, sourceCandidates } from '../lib-path.ts';
import type { CheckTarget, RawDiagnostic } from './check-request.ts';

type Refuse = (node: ts.Node, code: string, message: string) => void;

interface Rules {
  readonly target: CheckTarget;
  readonly files: ReadonlyMap<string, string>;
  readonly refuse: Refuse;
}

export function forbiddenCode(
  source: ts.SourceFile,
  target: CheckTarget,
  files: ReadonlyMap<string, string>,
): RawDiagnostic[] {
  const found: RawDiagnostic[] = [];
  const refuse: Refuse = (node, code, message) => {
    const start = node.getStart(source);
    // The generated text around an expression is ours and may import what it needs.
    if (!isWhole(target) && !target.spans.some((s) => start >= s.start && start < s.end)) return;
    const length = node.getEnd() - start;
    found.push({ path: target.path, start, length, code, severity: 'error', message });
  };
  const rules = { target, files, refuse };
  checkReferences(source, rules);
  const walk = (node: ts.Node, inFunction: boolean): void => {
    checkNode(node, inFunction, rules);
    const inside = inFunction || ts.isFunctionLike(node) || ts.isClassStaticBlockDeclaration(node);
    ts.forEachChild(node, (child) => walk(child, inside));
  };
  walk(source, false);
  return found;
}

function checkNode(node: ts.Node, inFunction: boolean, rules: Rules): void {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) {
    if (node.moduleSpecifier !== undefined) checkSpecifier(node.moduleSpecifier, rules);
  } else if (ts.isImportTypeNode(node)) {
    if (ts.isLiteralTypeNode(node.argument)) checkSpecifier(node.argument.literal, rules);
  } else if (ts.isImportEqualsDeclaration(node)) {
    if (ts.isExternalModuleReference(node.moduleReference))
      checkSpecifier(node.moduleReference.expression, rules);
  } else if (ts.isCallExpression(node)) {
    checkCall(node, rules.refuse);
  } else if (ts.isAwaitExpression(node) || (ts.isForOfStatement(node) && node.awaitModifier !== undefined)) {
    if (inFunction) return;
    rules.refuse(
      node,
      'top-level-await',
      'await is not possible while a node is loaded; make the handler async and await there',
    );
  } else if (ts.isMetaProperty(node) && node.keywordToken === ts.SyntaxKind.ImportKeyword) {
    rules.refuse(
      node,
      'forbidden-import',
      'import.meta is not there in pipeline code; values come through ctx.params',
    );
  }
}

function checkCall(call: ts.CallExpression, refuse: Refuse): void {
  if (call.expression.kind === ts.SyntaxKind.ImportKeyword) {
    refuse(
      call,
      'forbidden-import',
      "import() is not possible in pipeline code: nothing is loaded at run time; write an import statement from '#lib/…' or '@millrace/sdk'",
    );
  } else if (ts.isIdentifier(call.expression) && call.expression.text === 'require') {
    refuse(
      call,
      'forbidden-import',
      "require() is not there in pipeline code; write an import statement from '#lib/…' or '@millrace/sdk'",
    );
  }
}

function checkSpecifier(specifier: ts.Node, { target, files, refuse }: Rules): void {
  const name = ts.isStringLiteralLike(specifier) ? specifier.text : '';
  if (name === '@millrace/sdk') return;
  if (name === './streams' && target.kind === 'node') return;
  const inLib = libPath(name, target);
  if (inLib !== undefined && sourceCandidates(inLib).some((path) => files.has(path))) return;
  refuse(
    specifier,
    'forbidden-import',
    `${JSON.stringify(name)} cannot be imported: ${remedy(name, target, inLib)}`,
  );
}

/** A path below /lib/, or undefined where the name does not lead there. */
function libPath(name: string, target: CheckTarget): string | undefined {
  const path = name.startsWith('#lib/')
    ? joinPath('/lib', name.slice('#lib/'.length))
    : target.kind === 'lib' && /^\.\.?\//.test(name)
      ? joinPath(folderOf(target.path), name)
      : undefined;
  return path?.startsWith('/lib/') ? path : undefined;
}

function remedy(name: string, target: CheckTarget, inLib: string | undefined): string {
  if (inLib !== undefined)
    return `there is no file ${sourceCandidates(inLib)[0]?.slice(1)}; add it or correct the name`;
  if (/^(node:|(fs|path|os|net|https?|child_process|process)(\/|$))/.test(name)) {
    return 'pipeline code runs without files, network and processes; bring data in with an injector and out with a sink';
  }
  if (/^(npm:|jsr:)|^[a-z@]/i.test(name) && !name.includes('://')) {
    return "only '@millrace/sdk', './streams' and '#lib/…' are there; copy the code you need into lib/";
  }
  if (name === './streams')
    return `./streams exists beside a node only; write the types in ${target.path.slice(1)} itself`;
  return "code outside this file is reached only as '#lib/…'; move the file into lib/";
}

/** `/// <reference …>` could pull in other libraries than the ones that are there at run time. */
function checkReferences(source: ts.SourceFile, { refuse, target }: Rules): void {
  const references = [
    ...source.referencedFiles,
    ...source.typeReferenceDirectives,
    ...source.libReferenceDirectives,
  ];
  if (references.length === 0 || !isWhole(target)) return;
  refuse(source, 'forbidden-reference', '/// <reference> is not possible in pipeline code; remove the line');
}

function isWhole({ kind }: CheckTarget): boolean {
  return kind === 'node' || kind === 'lib';
}
