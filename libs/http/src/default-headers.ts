import { ServerResponse } from 'node:http';

type Headers = Readonly<Record<string, string>>;

/**
 * A class of answers that carry these headers, each unless the application sets its own. They are added when the head is written: Node processes
 * all headers of an answer more slowly once one was set on the answer itself. The names are in lower case.
 */
export const responsesWith = (defaults: Headers): typeof ServerResponse =>
  class extends ServerResponse {
    override writeHead(status: number, ...rest: unknown[]): this {
      const [given] = rest;
      if (rest.length === 1 && isPlain(given) && this.getHeaderNames().length === 0) return super.writeHead(status, { ...defaults, ...given });
      for (const [name, value] of Object.entries(defaults)) if (!this.hasHeader(name)) this.setHeader(name, value);
      return super.writeHead(status, ...(rest as []));
    }
  } as typeof ServerResponse;

/** Headers as Fastify gives them: an object, and every name in lower case. */
const isPlain = (headers: unknown): headers is Headers =>
  typeof headers === 'object' && headers !== null && !Array.isArray(headers) && Object.keys(headers).every((name) => name === name.toLowerCase());
