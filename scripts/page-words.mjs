/**
 * Finds words a person would read that stand outside the page's catalogue, `apps/web/src/text/strings/`. Runs in
 * `npm run lint`. What counts: text of JSX, and strings that look like words – several of them, or one with a
 * capital – unless the program only compares them, imports them, looks for elements by them
 * or throws them as a fault of its own.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript-js';
import { root } from './lib/root.mjs';

const SOURCE = join(root, 'apps/web/src');

/** Attributes and properties whose strings are never read by people. */
const SILENT = new Set([
  'className',
  'd',
  'viewBox',
  'transform',
  'style',
  'keys',
  'key',
  'transition',
  'font',
  'fontFamily',
  'maskColor',
]);

/** @returns {{ line: number, text: string, node: ts.Node }[]} */
export function wordsIn(text, fileName) {
  const source = ts.createSourceFile(fileName, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node) => {
    const words = wordsOf(node);
    if (words !== undefined && looksRead(node, words))
      found.push({ line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1, text: words, node });
    if (ts.isCaseClause(node)) node.statements.forEach(visit);
    else if (!isSilent(node)) ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function wordsOf(node) {
  if (ts.isJsxText(node)) return isCode(node.parent) ? undefined : node.text.trim().replace(/\s+/g, ' ');
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return [node.head, ...node.templateSpans.map(({ literal }) => literal)]
      .map(({ text }) => text)
      .join('{}');
  return undefined;
}

function looksRead(node, words) {
  if (!/\p{L}/u.test(words)) return false;
  if (ts.isJsxText(node) || isShown(node)) return true;
  if (/^\(.*\)$|^[\w-]+\/[\w.+-]+/.test(words)) return false;
  if (/^(Alt|Control|Meta|Shift)$|^import .* from '/.test(words) || isSelector(node)) return false;
  return /^[A-Z]-?[a-z]+(?![\w-]*[A-Z])/.test(words) || /[\p{L}\d][,.:;!?’]? (\{\} )?\p{L}/u.test(words);
}

const isCode = (element) => ts.isJsxElement(element) && element.openingElement.tagName.getText() === 'code';

/** Inside braces between tags: whatever letters it has are on the page. */
function isShown(node) {
  let { parent } = node;
  while (ts.isConditionalExpression(parent) || ts.isParenthesizedExpression(parent)) parent = parent.parent;
  return ts.isJsxExpression(parent) && !ts.isJsxAttribute(parent.parent);
}

/** What elements are looked for by. */
const isSelector = ({ parent }) =>
  ts.isCallExpression(parent) && /\.(closest|matches|querySelector(All)?)$/.test(parent.expression.getText());

/** What the program says to itself. */
function isSilent(node) {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return true;
  if (ts.isTypeNode(node)) return true;
  if (ts.isBinaryExpression(node)) return node.operatorToken.getText().startsWith('==');
  if (ts.isNewExpression(node)) return /^(Error|TypeError|RangeError)$/.test(node.expression.getText());
  if (ts.isJsxAttribute(node) || ts.isPropertyAssignment(node)) return SILENT.has(node.name.getText());
  return false;
}

function* files(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* files(path);
    else if (/\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name)) yield path;
  }
}

export function findWords(folder = SOURCE) {
  return [...files(folder)].flatMap((path) => {
    const name = relative(folder, path).replaceAll('\\', '/');
    if (name.startsWith('text/')) return [];
    return wordsIn(readFileSync(path, 'utf8'), path).map(({ line, text }) => `${name}:${line} ${text}`);
  });
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const found = findWords();
  for (const each of found) console.error(`apps/web/src/${each}`);
  if (found.length > 0) {
    console.error(`${found.length} words stand outside apps/web/src/text/strings/: move them there.`);
    process.exitCode = 1;
  }
}
