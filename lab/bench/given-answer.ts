import type { HttpRequest } from './lean-connection.js';
import type { Server } from './server.js';

/** An answer of the service, which a bare server gives as well. */
export interface GivenAnswer {
  /** The pattern of the route. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

/** The headers that Fastify and Node add by themselves. */
const ADDED: ReadonlySet<string> = new Set(['connection', 'content-length', 'content-type', 'date', 'keep-alive', 'transfer-encoding']);

/** The answer to the request. `path`: the pattern of its route. */
export const givenAnswer = async (server: Server, request: HttpRequest, path: string): Promise<GivenAnswer> => {
  const answer = await fetch(server.url + request.path, { headers: { ...request.headers } });
  if (answer.status !== 200) throw new Error(`${request.path}: ${answer.status}`);
  return { path, headers: Object.fromEntries([...answer.headers].filter(([name]) => !ADDED.has(name))), body: (await answer.json()) as object };
};
