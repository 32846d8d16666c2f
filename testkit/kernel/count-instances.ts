import { Session } from 'node:inspector';

type Class = abstract new (...given: never[]) => object;

const HELD = Symbol.for('count-instances');

/** Runs in the inspected context: how many objects of `this` have each prototype. */
const countByPrototype = function (this: readonly object[]): readonly number[] {
  const counts = new Map<object, number>();
  for (const one of this) {
    const prototype = Reflect.getPrototypeOf(one) ?? one;
    counts.set(prototype, (counts.get(prototype) ?? 0) + 1);
  }
  const held = (globalThis as unknown as Record<symbol, readonly Class[]>)[Symbol.for('count-instances')] ?? [];
  return held.map(({ prototype }) => counts.get(prototype as object) ?? 0);
};

/** How many objects of each class live in this process, by V8's own list of the heap. Objects of subclasses are not counted. */
export const countInstances = (classes: readonly Class[]): ReadonlyMap<Class, number> => {
  const session = new Session();
  const post = <Result>(method: string, parameters: object = {}): Result => {
    let answer: Result | undefined;
    // A session in its own thread answers before it returns.
    session.post(method, parameters, (error, result) => {
      if (error) throw error;
      answer = result as Result;
    });
    return answer as Result;
  };
  const held = globalThis as unknown as Record<symbol, readonly Class[] | undefined>;
  held[HELD] = classes;
  const contexts: number[] = [];
  session.on('Runtime.executionContextCreated', ({ params }) => void contexts.push(params.context.id));
  session.connect();
  try {
    post('Runtime.enable');
    // jest runs a test file in a context of its own.
    const contextId = contexts.find(
      (id) => post<Evaluated>('Runtime.evaluate', { expression: `Symbol.for('count-instances') in globalThis`, contextId: id }).result.value === true,
    );
    const { objectId } = post<Evaluated>('Runtime.evaluate', { expression: 'Object.prototype', contextId }).result;
    const { objects } = post<{ readonly objects: { readonly objectId: string } }>('Runtime.queryObjects', { prototypeObjectId: objectId });
    const counted = post<Evaluated>('Runtime.callFunctionOn', {
      functionDeclaration: countByPrototype.toString(),
      objectId: objects.objectId,
      returnByValue: true,
    });
    const counts = counted.result.value as readonly number[];
    return new Map(classes.map((one, index) => [one, counts[index] ?? 0]));
  } finally {
    session.disconnect();
    held[HELD] = undefined;
  }
};

interface Evaluated {
  readonly result: { readonly value?: unknown; readonly objectId?: string };
}
