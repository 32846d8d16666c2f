import { duplicateKey, InvalidRequest } from '#kernel';

import type { FastifyInstance, FastifyRequest } from 'fastify';

/** 64 KiB (api-extensions 1, row 8). */
export const BODY_LIMIT = 64 * 1024;

const MAX_DEPTH = 16;

/**
 * Bodies are JSON objects in UTF-8, or they are left alone. Replaces Fastify's own parsers, which would
 * take text, decode broken UTF-8 silently and let the last one of two equal keys win.
 */
export const takeJsonBodies = (fastify: FastifyInstance): void => {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (request, bytes, done) => {
    try {
      request.rawBody = bytes as Buffer;
      done(null, parseJsonBody(bytes as Buffer, request.headers['content-type'] ?? ''));
    } catch (error) {
      done(error as Error);
    }
  });
  fastify.addContentTypeParser('*', (request, _payload, done) => {
    if (leavesBodyAlone(request)) done(null);
    else done(Object.assign(new Error('not JSON'), { statusCode: 415 }));
  });
  // Without its content type a body goes to the parser above, unread; Node drains it behind the answer.
  fastify.addHook('onRequest', (request, _reply, done) => {
    if (leavesBodyAlone(request)) delete request.raw.headers['content-type'];
    done();
  });
};

const leavesBodyAlone = (request: FastifyRequest): boolean =>
  request.is404 || request.method === 'DELETE' || request.method === 'OPTIONS' || request.routeOptions.config.ignoreBody === true;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The object, or {@link InvalidRequest} saying what is wrong with the body. */
export const parseJsonBody = (bytes: Buffer, contentType: string): object => {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1]?.toLowerCase();
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') throw new InvalidRequest('The body must be encoded in UTF-8.');
  if (bytes.length === 0) throw new InvalidRequest('The body is empty; send a JSON object.');
  const text = decode(bytes);
  const body = parse(text);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new InvalidRequest('The body must be a JSON object.');
  if (nestsDeeperThan(MAX_DEPTH, body)) throw new InvalidRequest(`The body nests deeper than ${MAX_DEPTH} levels.`);
  const twice = duplicateKey(text, body);
  if (twice !== undefined) throw new InvalidRequest(`\`${twice}\` appears twice.`, 'duplicate key');
  return body;
};

const decode = (bytes: Buffer): string => {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new InvalidRequest('The body is not valid UTF-8.');
  }
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidRequest('The body is not valid JSON.');
  }
};

const nestsDeeperThan = (limit: number, root: object): boolean => {
  let level: object[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === limit) return true;
    level = level.flatMap((value) => Object.values(value).filter((child): child is object => typeof child === 'object' && child !== null));
  }
  return false;
};
