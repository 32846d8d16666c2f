import { isUtf8 } from 'node:buffer';

import { duplicateKey, InvalidRequest } from '#kernel';

import type { FastifyInstance, FastifyRequest } from 'fastify';

import { TransportRefusal } from './transport-refusal.js';

/** Bytes (specification/conventions.md#request-bodies). */
export const BODY_LIMIT = 64 * 1024;

const MAX_DEPTH = 16;

const BYTE_ORDER_MARK = /^\uFEFF/;

/**
 * Accepts JSON objects in UTF-8, or leaves the body unread. Replaces Fastify's own parsers, which would accept text, decode malformed UTF-8
 * silently and let the last one of two equal keys win.
 */
export const parseJsonBodies = (fastify: FastifyInstance): void => {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (request, bytes, done) => {
    try {
      request.rawBody = bytes as Buffer;
      done(null, parseJsonBody(bytes as Buffer, request.headers['content-type'] ?? ''));
    } catch (error) {
      if (request.routeOptions.config.optionalBody === true) done(null);
      else done(error as Error);
    }
  });
  fastify.addContentTypeParser('*', (request, _payload, done) => {
    if (ignoresBody(request)) done(null);
    else done(Object.assign(new Error('not JSON'), { statusCode: 415 }));
  });
  fastify.addHook('preParsing', (request, reply, payload, done) => {
    const isRead = WITH_BODY.has(request.method) && !ignoresBody(request);
    if (isRead && !isPlain(request)) {
      done(new TransportRefusal(415, CODED, { 'Accept-Encoding': 'identity' }));
      return;
    }
    // Only now, since all that can be refused without the body has been judged: the credentials, the path, the type and the size (RFC 9110 §10.1.1).
    if (isRead && request.headers.expect !== undefined && mayHoldBody(request)) reply.raw.writeContinue();
    done(null, payload);
  });
  // Without a content type the body goes unread to the parser above. Node reads the rest of it after the answer.
  fastify.addHook('onRequest', (request, _reply, done) => {
    // Fastify refuses a QUERY without one, on an unknown path too.
    if (request.method === 'QUERY' && ignoresBody(request)) request.raw.headers['content-type'] = 'application/octet-stream';
    else if (request.headers['content-type'] !== undefined && ignoresBody(request)) delete request.raw.headers['content-type'];
    done();
  });
};

const ignoresBody = (request: FastifyRequest): boolean => {
  const { ignoreBody, optionalBody } = request.routeOptions.config;
  if (request.is404 || request.method === 'DELETE' || request.method === 'OPTIONS' || ignoreBody === true) return true;
  return optionalBody === true && !mayHoldBody(request);
};

/** Fastify reads no body of the others. */
const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

const CODED = 'Send the body as it is: without Content-Encoding, and with no Transfer-Encoding but chunked.';

/** RFC 9110 §8.4: a coding that is not undone would make another body of it. */
const isPlain = ({ headers }: FastifyRequest): boolean =>
  isOneOf(headers['content-encoding'], ['', 'identity']) && isOneOf(headers['transfer-encoding'], ['', 'chunked']);

const isOneOf = (codings: string | undefined, allowed: readonly string[]): boolean =>
  codings === undefined || codings.split(',').every((coding) => allowed.includes(coding.trim().toLowerCase()));

const mayHoldBody = (request: FastifyRequest): boolean => isPlain(request) && isReadable(request);

const isReadable = ({ headers, server }: FastifyRequest): boolean => {
  const type = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  // An application that takes forms has no parser for JSON.
  return BODY_TYPES.has(type) && server.hasContentTypeParser(type) && Number(headers['content-length'] ?? 0) <= BODY_LIMIT;
};

const BODY_TYPES: ReadonlySet<string> = new Set(['application/json', 'application/x-www-form-urlencoded']);

/** The parsed object. Throws {@link InvalidRequest} with the fault of the body. */
export const parseJsonBody = (bytes: Buffer, contentType: string): object => {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1]?.toLowerCase();
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') throw new InvalidRequest('The body must be encoded in UTF-8.');
  if (bytes.length === 0) throw new InvalidRequest('The body is empty; send a JSON object.');
  if (!isUtf8(bytes)) throw new InvalidRequest('The body is not valid UTF-8.');
  // RFC 8259 §8.1 lets a parser ignore a byte order mark, which some platforms write.
  const text = bytes.toString('utf8').replace(BYTE_ORDER_MARK, '');
  const body = parse(text);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new InvalidRequest('The body must be a JSON object.');
  if (nestsDeeperThan(MAX_DEPTH, body)) throw new InvalidRequest(`The body nests deeper than ${MAX_DEPTH} levels.`);
  const twice = duplicateKey(text, body);
  if (twice !== undefined) throw new InvalidRequest(`\`${twice}\` appears twice.`, 'duplicate key');
  return body;
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
