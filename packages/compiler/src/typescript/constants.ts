/**
 * What an expression of somebody's code is as far as that is written down: literals, constants and what is made of
 * them, calls of the SDK. Nothing is executed. Anything else is `unknown`; so is what would take too long to tell.
 */
import ts from 'typescript-js';

export type Constant = { readonly node: ts.Node } & (
  | { readonly kind: 'data'; readonly value: string | number | boolean | null | undefined }
  | { readonly kind: 'list'; readonly items: readonly Constant[] }
  | { readonly kind: 'object'; readonly fields: ReadonlyMap<string, Field> }
  | { readonly kind: 'function' }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Constant[] }
  | { readonly kind: 'unknown' }
);

/** `at`: the whole of it, with its name, where TypeScript points at. */
export interface Field {
  readonly at: ts.Node;
  readonly value: Constant;
}

const MOST_STEPS = 20_000;
const MOST_DEPTH = 50;
/** Longer texts are no settings, and could be doubled again and again. */
const LONGEST = 1_000;
const SDK = '@millrace/sdk';

export class Constants {
  readonly #checker: ts.TypeChecker;
  #left = MOST_STEPS;

  constructor(checker: ts.TypeChecker) {
    this.#checker = checker;
  }

  of(node: ts.Node, depth = 0): Constant {
    this.#left -= 1;
    if (this.#left < 0 || depth > MOST_DEPTH) return { kind: 'unknown', node };
    return this.#read(node, depth + 1) ?? { kind: 'unknown', node };
  }

  /** What the SDK calls that which is called here, whatever it was imported as. */
  sdkName(callee: ts.Expression): string | undefined {
    const name = ts.isPropertyAccessExpression(callee) ? callee.name : callee;
    if (!ts.isIdentifier(name)) return undefined;
    const symbol = this.#checker.getSymbolAtLocation(name);
    if (symbol === undefined) return undefined;
    const specifier = symbol.declarations?.find(ts.isImportSpecifier);
    if (specifier !== undefined && moduleOf(specifier.parent.parent.parent) !== SDK) return undefined;
    const target = symbol.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol;
    const isOurs = target.declarations?.some(
      (each) => ts.isFunctionDeclaration(each) && each.getSourceFile().fileName.startsWith('/sdk/'),
    );
    return isOurs === true ? target.name : undefined;
  }

  /** Where an identifier that stays what it is was given its value. */
  initializerOf(identifier: ts.Node): ts.Expression | undefined {
    let symbol = this.#checker.getSymbolAtLocation(identifier);
    if (symbol !== undefined && ts.isShorthandPropertyAssignment(identifier.parent))
      symbol = this.#checker.getShorthandAssignmentValueSymbol(identifier.parent);
    return this.#valueOf(symbol);
  }

  /** What a module exports by default. */
  defaultOf(source: ts.SourceFile): ts.Expression | undefined {
    const assigned = source.statements.find(ts.isExportAssignment);
    if (assigned !== undefined) return assigned.expression;
    const module = this.#checker.getSymbolAtLocation(source);
    const exported = module && this.#checker.getExportsOfModule(module);
    return this.#valueOf(exported?.find(({ escapedName }) => escapedName === 'default'));
  }

  #valueOf(given: ts.Symbol | undefined): ts.Expression | undefined {
    if (given === undefined) return undefined;
    const symbol = given.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(given) : given;
    const declaration = symbol.valueDeclaration;
    if (declaration === undefined) return undefined;
    if (ts.isExportAssignment(declaration)) return declaration.expression;
    if (!ts.isVariableDeclaration(declaration) || !ts.isIdentifier(declaration.name)) return undefined;
    const isConst = (ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const) !== 0;
    return isConst ? declaration.initializer : undefined;
  }

  #read(node: ts.Node, depth: number): Constant | undefined {
    const data = (value: string | number | boolean | null | undefined): Constant => ({
      kind: 'data',
      value,
      node,
    });
    if (
      ts.isParenthesizedExpression(node) ||
      ts.isAsExpression(node) ||
      ts.isSatisfiesExpression(node) ||
      ts.isNonNullExpression(node)
    )
      return this.of(node.expression, depth);
    if (ts.isStringLiteralLike(node)) return node.text.length > LONGEST ? undefined : data(node.text);
    if (ts.isNumericLiteral(node)) return data(Number(node.text));
    if (node.kind === ts.SyntaxKind.TrueKeyword) return data(true);
    if (node.kind === ts.SyntaxKind.FalseKeyword) return data(false);
    if (node.kind === ts.SyntaxKind.NullKeyword) return data(null);
    if (ts.isFunctionLike(node)) return { kind: 'function', node };
    if (ts.isPrefixUnaryExpression(node) || ts.isBinaryExpression(node) || ts.isTemplateExpression(node)) {
      const value = this.#computed(node, depth);
      return value === undefined ? undefined : data(value);
    }
    if (ts.isArrayLiteralExpression(node))
      return node.elements.some(ts.isSpreadElement)
        ? undefined
        : { kind: 'list', items: node.elements.map((each) => this.of(each, depth)), node };
    if (ts.isObjectLiteralExpression(node)) return this.#object(node, depth);
    if (ts.isCallExpression(node)) return this.#call(node, depth);
    if (ts.isPropertyAccessExpression(node)) return this.#member(node, depth);
    return ts.isIdentifier(node) ? this.#named(node, depth) : undefined;
  }

  #named(node: ts.Identifier, depth: number): Constant | undefined {
    if (node.text === 'undefined') return { kind: 'data', value: undefined, node };
    const declaration = this.#checker.getSymbolAtLocation(node)?.valueDeclaration;
    if (declaration !== undefined && ts.isFunctionDeclaration(declaration))
      return { kind: 'function', node: declaration };
    const value = this.initializerOf(node);
    return value === undefined ? undefined : this.of(value, depth);
  }

  #call(node: ts.CallExpression, depth: number): Constant | undefined {
    const name = this.sdkName(node.expression);
    if (name === undefined || node.arguments.some(ts.isSpreadElement)) return undefined;
    return { kind: 'call', name, args: node.arguments.map((each) => this.of(each, depth)), node };
  }

  #member(node: ts.PropertyAccessExpression, depth: number): Constant | undefined {
    const owner = this.of(node.expression, depth);
    return owner.kind === 'object' ? owner.fields.get(node.name.text)?.value : undefined;
  }

  #object(node: ts.ObjectLiteralExpression, depth: number): Constant | undefined {
    const fields = new Map<string, Field>();
    for (const property of node.properties) {
      if (ts.isSpreadAssignment(property)) {
        const spread = this.of(property.expression, depth);
        if (spread.kind !== 'object') return undefined;
        for (const [name, field] of spread.fields) fields.set(name, { ...field, at: property });
        continue;
      }
      const { name } = property;
      if (!ts.isIdentifier(name) && !ts.isStringLiteralLike(name) && !ts.isNumericLiteral(name))
        return undefined;
      const value = ts.isPropertyAssignment(property)
        ? this.of(property.initializer, depth)
        : ts.isShorthandPropertyAssignment(property)
          ? this.#named(property.name, depth)
          : ts.isMethodDeclaration(property)
            ? ({ kind: 'function', node: property } as const)
            : undefined;
      fields.set(name.text, { at: property, value: value ?? { kind: 'unknown', node: property } });
    }
    return { kind: 'object', fields, node };
  }

  #computed(node: ts.Expression, depth: number): string | number | boolean | undefined {
    if (ts.isPrefixUnaryExpression(node)) {
      const value = this.#plain(node.operand, depth);
      if (typeof value === 'boolean')
        return node.operator === ts.SyntaxKind.ExclamationToken ? !value : undefined;
      if (typeof value !== 'number') return undefined;
      if (node.operator === ts.SyntaxKind.MinusToken) return -value;
      return node.operator === ts.SyntaxKind.PlusToken ? value : undefined;
    }
    if (ts.isTemplateExpression(node)) {
      let text = node.head.text;
      for (const { expression, literal } of node.templateSpans) {
        const value = this.#plain(expression, depth);
        if (value === undefined || text.length > LONGEST) return undefined;
        text += String(value) + literal.text;
      }
      return text;
    }
    if (!ts.isBinaryExpression(node)) return undefined;
    const [left, right] = [this.#plain(node.left, depth), this.#plain(node.right, depth)];
    const { kind } = node.operatorToken;
    if (typeof left === 'string' && typeof right === 'string' && kind === ts.SyntaxKind.PlusToken)
      return left.length + right.length > LONGEST ? undefined : left + right;
    return typeof left === 'number' && typeof right === 'number'
      ? ARITHMETIC.get(kind)?.(left, right)
      : undefined;
  }

  #plain(node: ts.Expression, depth: number): string | number | boolean | undefined {
    const constant = this.of(node, depth);
    return constant.kind === 'data' && constant.value !== null ? constant.value : undefined;
  }
}

const ARITHMETIC: ReadonlyMap<ts.SyntaxKind, (left: number, right: number) => number> = new Map([
  [ts.SyntaxKind.PlusToken, (left: number, right: number) => left + right],
  [ts.SyntaxKind.MinusToken, (left: number, right: number) => left - right],
  [ts.SyntaxKind.AsteriskToken, (left: number, right: number) => left * right],
  [ts.SyntaxKind.SlashToken, (left: number, right: number) => left / right],
  [ts.SyntaxKind.PercentToken, (left: number, right: number) => left % right],
  [ts.SyntaxKind.AsteriskAsteriskToken, (left: number, right: number) => left ** right],
]);

function moduleOf(declaration: ts.Node): string | undefined {
  const { moduleSpecifier } = declaration as ts.ImportDeclaration;
  return moduleSpecifier !== undefined && ts.isStringLiteral(moduleSpecifier)
    ? moduleSpecifier.text
    : undefined;
}
