/**
 * The functions of browsers by their age, and those that scripts call. The ages are those of MDN's browser-compat-data
 * ([ADR 0120](../../docs/adr/0120-declared-browsers.md)).
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import type { CompatData, CompatStatement, Identifier } from '@mdn/browser-compat-data';
import ts from 'typescript';

import { OLDEST_BROWSERS } from './browsers.ts';

/** In every browser that knows modules; in every browser of the build's target; or missing in one of them. */
export type Age = 'OLD' | 'NEWER' | 'MISSING';

export interface BrowserFunction {
  /** As a script reaches it: `structuredClone`, `Object.groupBy`, `Array.prototype.at`. */
  readonly path: string;
  readonly name: string;
  readonly age: Age;
}

/** The first browsers that run `<script type="module">`. */
const FIRST_WITH_MODULES = { chrome: 61, firefox: 60, safari: 11 } as const;
const BROWSERS = ['chrome', 'firefox', 'safari'] as const;

const isCompat = (value: unknown): value is Identifier & { readonly __compat: CompatStatement } =>
  typeof value === 'object' && value !== null && '__compat' in value;

const addedIn = ({ support }: CompatStatement, browser: (typeof BROWSERS)[number]): number => {
  const statements = [support[browser] ?? []].flat().filter(({ flags, prefix, alternative_name, version_removed }) => {
    return flags === undefined && prefix === undefined && alternative_name === undefined && version_removed === undefined;
  });
  const [statement] = [...statements.filter(({ partial_implementation }) => partial_implementation !== true), ...statements];
  const version = statement?.version_added;
  return typeof version === 'string' && version !== 'preview' ? Number.parseFloat(version.replace('≤', '')) : Infinity;
};

const ageOf = (compat: CompatStatement): Age => {
  if (BROWSERS.some((browser) => addedIn(compat, browser) > Number(OLDEST_BROWSERS[browser]))) return 'MISSING';
  return BROWSERS.some((browser) => addedIn(compat, browser) > FIRST_WITH_MODULES[browser]) ? 'NEWER' : 'OLD';
};

/** The members of a global name. Names with another sign are events, symbols and the like. */
const membersOf = (owner: string, identifier: Identifier): BrowserFunction[] =>
  Object.entries(identifier).flatMap(([key, member]) => {
    const name = key.replace(/_static$/, '');
    if (name === owner.split('.').at(-1) || !/^[a-z]\w*$/i.test(name) || name.endsWith('_event') || !isCompat(member)) return [];
    const age = ageOf(member.__compat);
    const own = { path: `${owner}.${name}`, name, age };
    const inherited = { path: `${owner}.prototype.${name}`, name, age };
    // Of ECMAScript the data do not tell both kinds apart; those of objects like Math are static.
    if (key.endsWith('_static') || typeof Reflect.get(globalThis, owner) === 'object') return [own];
    const constructor: unknown = Reflect.get(globalThis, owner);
    return typeof constructor === 'function' && name in constructor && !(name in Function.prototype) ? [own] : [inherited];
  });

/** All functions and other members that browsers have or had. */
export const browserFunctions = (): readonly BrowserFunction[] => {
  const { api, javascript } = JSON.parse(readFileSync(resolve('node_modules/@mdn/browser-compat-data/data.json'), 'utf8')) as CompatData;
  const owners = [...Object.entries(api), ...Object.entries(javascript.builtins ?? {})] as [string, Identifier][];
  return owners.flatMap(([owner, identifier]) => [
    ...(isCompat(identifier) ? [{ path: owner, name: owner, age: ageOf(identifier.__compat) }] : []),
    ...membersOf(owner, identifier),
    ...(owner === 'Intl' ? Object.entries(identifier).flatMap(([name, inner]) => (isCompat(inner) ? membersOf(`Intl.${name}`, inner) : [])) : []),
  ]);
};

interface Names {
  /** Called or made, with or without something before it: `structuredClone`, `Object.groupBy`, `.at`. */
  readonly called: Set<string>;
  /** Methods and members that the scripts bring themselves. */
  readonly own: Set<string>;
}

const read = (script: string, { called, own }: Names): void => {
  const visit = (node: ts.Node): void => {
    // A call by `?.()` asks whether the function is there.
    if ((ts.isCallExpression(node) && node.questionDotToken === undefined) || ts.isNewExpression(node)) {
      const { expression: callee } = node;
      if (ts.isIdentifier(callee)) called.add(callee.text);
      if (ts.isPropertyAccessExpression(callee)) {
        called.add(`.${callee.name.text}`);
        if (ts.isIdentifier(callee.expression)) called.add(`${callee.expression.text}.${callee.name.text}`);
      }
    }
    if ((ts.isMethodDeclaration(node) || ts.isPropertyAssignment(node) || ts.isPropertyDeclaration(node)) && ts.isIdentifier(node.name))
      own.add(node.name.text);
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken && ts.isPropertyAccessExpression(node.left))
      own.add(node.left.name.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('script.js', script, ts.ScriptTarget.Latest, false, ts.ScriptKind.JS));
};

/** From the oldest on. */
const AGES: readonly Age[] = ['OLD', 'NEWER', 'MISSING'];

/**
 * The functions that scripts call, without the old ones. A method counts by its name: where an older function, or one of the scripts' own, has the
 * same name, that one may be meant, and `missing-functions.browser` shows whether it is.
 */
export const newerFunctionsIn = (scripts: readonly string[], known: readonly BrowserFunction[]): readonly BrowserFunction[] => {
  const names: Names = { called: new Set(), own: new Set() };
  for (const script of scripts) read(script, names);
  const oldest = new Map<string, number>();
  for (const { name, age } of known) oldest.set(name, Math.min(oldest.get(name) ?? Infinity, AGES.indexOf(age)));
  return known.filter(({ path, name, age }) => {
    if (age === 'OLD') return false;
    if (!path.includes('.prototype.')) return names.called.has(path);
    return names.called.has(`.${name}`) && !names.own.has(name) && AGES.indexOf(age) === oldest.get(name);
  });
};
