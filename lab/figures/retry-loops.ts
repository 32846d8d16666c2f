import ts from 'typescript';

/** A call that lets time pass, by its name. */
const WAIT = /pause|sleep|wait|settimeout/i;

/** A variable that counts failures. */
const COUNT = /^#?(failures|failed|tries|attempts?)$/i;

/**
 * The lines at which code tries again after a failure by itself, instead of by `retry` of the kernel (docs/adr/0125-one-way-to-try-again.md):
 *
 * - a loop that awaits, catches and waits;
 * - a loop that awaits and has a catch clause, and neither goes through a list nor empties one: it goes round again after the failure;
 * - a loop that awaits and waits, and counts failures, attempts or tries;
 * - a catch clause that calls the function around it.
 */
export const retryLoopsIn = (text: string): readonly number[] => {
  if (!/\bawait\b|setTimeout/.test(text)) return [];
  const source = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true);
  const lines: number[] = [];
  const visit = (node: ts.Node): void => {
    if ((isLoop(node) && triesAgain(node)) || (ts.isCatchClause(node) && callsItsFunction(node)))
      lines.push(source.getLineAndCharacterOfPosition(node.getStart()).line + 1);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return lines;
};

const isLoop = (node: ts.Node): node is ts.IterationStatement => ts.isIterationStatement(node, false);

const triesAgain = (loop: ts.IterationStatement): boolean => {
  if (!has(loop, ts.isAwaitExpression)) return false;
  const waits = has(loop, (node) => ts.isCallExpression(node) && WAIT.test(nameOfCall(node)));
  if (has(loop, ts.isCatchClause)) return waits || !isOverList(loop);
  return waits && (has(loop, isHandler) || has(loop, (node) => ts.isIdentifier(node) && COUNT.test(node.text)));
};

/** `for (const item of list)`, or `while (list.length > 0)`. */
const isOverList = (loop: ts.IterationStatement): boolean =>
  ts.isForOfStatement(loop) || ts.isForInStatement(loop) || (ts.isWhileStatement(loop) && /\.length > 0$/.test(loop.expression.getText()));

/** `work.catch(…)`, or `work.then(…, …)`. */
const isHandler = (node: ts.Node): boolean =>
  ts.isCallExpression(node) &&
  ts.isPropertyAccessExpression(node.expression) &&
  (nameOfCall(node) === 'catch' || (nameOfCall(node) === 'then' && node.arguments.length === 2));

const nameOfCall = ({ expression }: ts.CallExpression): string => {
  if (ts.isPropertyAccessExpression(expression)) return expression.name.text;
  return ts.isIdentifier(expression) ? expression.text : '';
};

const callsItsFunction = (clause: ts.CatchClause): boolean => {
  const name = nameOfFunctionAround(clause);
  return name !== undefined && has(clause, (node) => ts.isCallExpression(node) && [name, `this.${name}`].includes(node.expression.getText()));
};

/** The nearest function with a name: `const name = () => …`, a method, or a declaration. */
const nameOfFunctionAround = (node: ts.Node): string | undefined => {
  for (let around = node.parent; !ts.isSourceFile(around); around = around.parent) {
    const named = ts.isFunctionExpression(around) || ts.isArrowFunction(around) ? around.parent : around;
    const isNamed = ts.isFunctionDeclaration(named) || ts.isMethodDeclaration(named) || (ts.isVariableDeclaration(named) && named !== around);
    if (isNamed && named.name && (ts.isIdentifier(named.name) || ts.isPrivateIdentifier(named.name))) return named.name.text;
  }
  return undefined;
};

const has = (node: ts.Node, matches: (node: ts.Node) => boolean): boolean =>
  ts.forEachChild(node, (child) => matches(child) || has(child, matches)) ?? false;
