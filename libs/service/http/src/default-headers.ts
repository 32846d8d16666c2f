import { ServerResponse } from 'node:http';

type Headers = Readonly<Record<string, string>>;

/**
 * A class of answers that carry these headers, each unless the application sets its own. They are added when the head is written: Node processes
 * all headers of an answer more slowly once one was set on the answer itself. The names are in lower case.
 */
export const responsesWith = (defaults: Headers): typeof ServerResponse => {
  const entries = Object.entries(defaults);
  return class extends ServerResponse {
    override writeHead(status: number, ...rest: unknown[]): this {
      const [given] = rest;
      const list = rest.length === 1 && this.getHeaderNames().length === 0 ? listed(given, entries) : undefined;
      if (list) return super.writeHead(status, list);
      for (const [name, value] of entries) if (!this.hasHeader(name)) this.setHeader(name, value);
      return super.writeHead(status, ...(rest as []));
    }
  } as typeof ServerResponse;
};

/**
 * The names and values of headers as Fastify gives them, an object in which every name is in lower case, with the defaults that are not among them. Undefined for
 * other headers. Node writes such a list without looking at each name again.
 */
const listed = (given: unknown, defaults: readonly (readonly [string, string])[]): string[] | undefined => {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined;
  const list: string[] = [];
  for (const [name, value] of Object.entries(given as Headers)) {
    if (name !== name.toLowerCase()) return undefined;
    list.push(name, value);
  }
  for (const [name, value] of defaults) if (!Object.hasOwn(given, name)) list.push(name, value);
  return list;
};
