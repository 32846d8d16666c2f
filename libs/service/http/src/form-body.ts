import { isUtf8 } from 'node:buffer';

import type { FastifyInstance } from 'fastify';

import { InvalidRequest } from '#kernel';

import { BODY_LIMIT } from './json-body.js';

/** Accepts forms (RFC 6749 appendix B) in place of JSON, on every route of the application that reads a body. */
export const parseFormBodies = (fastify: FastifyInstance): void => {
  fastify.removeContentTypeParser('application/json');
  fastify.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_request, bytes, done) => {
    try {
      done(null, parseForm(bytes as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
};

const parseForm = (bytes: Buffer): Readonly<Record<string, string>> => {
  if (!isUtf8(bytes)) throw new InvalidRequest('The body is not valid UTF-8.');
  return parseParameters(bytes.toString());
};

/**
 * The parameters of a form or of a query. One without a value counts as absent (RFC 6749 section 3.1). Throws {@link InvalidRequest} for one that appears twice, and for a text that
 * is no form.
 */
export const parseParameters = (text: string): Readonly<Record<string, string>> => {
  const pairs = text.split('&').flatMap((pair) => {
    const at = pair.indexOf('=');
    const [name, value] = at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
    return value === '' ? [] : [[decoded(name), decoded(value)] as const];
  });
  const names = new Set<string>();
  for (const [name] of pairs) {
    if (names.has(name)) throw new InvalidRequest('A parameter appears twice.', 'duplicate parameter');
    names.add(name);
  }
  return Object.fromEntries(pairs);
};

/** WHATWG URL section 5.1. */
const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '));
  } catch {
    throw new InvalidRequest('The parameters are not encoded as a form.');
  }
};
