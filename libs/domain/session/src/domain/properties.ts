import { duplicateKey, fromBase64url, InvalidRequest, parsedJson } from '#kernel';
import { allows, type Client, isAttributeName, parsePredicate, type RequestedProperties } from '#domain/relying-party';

import { InvalidScope } from './session.errors.js';

/** Bytes, decoded. */
export const LONGEST_PROPERTIES = 4096;
const MAX_NAMES = 20;

/**
 * Reads `properties` (specification/sessions.md#identity-properties): base64url, without padding, of `{"attributes": […], "predicates": […]}`.
 * Throws {@link InvalidRequest} when it is malformed, {@link InvalidScope} for a name that exists but is not on the
 * client's allow-list.
 */
export const parseProperties = (properties: string, client: Client): RequestedProperties => {
  const request = decode(properties);
  const requested = { attributes: namesOf(request, 'attributes'), predicates: namesOf(request, 'predicates') };
  const names = [...requested.attributes, ...requested.predicates];
  if (names.length === 0) throw invalid('asks for nothing');
  if (names.length > MAX_NAMES) throw invalid(`asks for more than ${MAX_NAMES} names`);
  if (new Set(names).size < names.length) throw invalid('names something twice');
  const unknown = requested.attributes.find((name) => !isAttributeName(name)) ?? requested.predicates.find((name) => !parsePredicate(name));
  if (unknown !== undefined) throw invalid('names an attribute or predicate that does not exist');
  if (!allows(client, requested)) throw new InvalidScope('outside the allow-list');
  return requested;
};

const namesOf = (request: Record<string, unknown>, member: 'attributes' | 'predicates'): readonly string[] => {
  const names = request[member] === undefined ? [] : request[member];
  if (!Array.isArray(names) || !names.every((name) => typeof name === 'string')) throw invalid(`needs \`${member}\` as a list of strings`);
  return names;
};

const decode = (properties: string): Record<string, unknown> => {
  const bytes = fromBase64url(properties);
  if (!bytes) throw invalid('is not base64url without padding');
  if (bytes.length > LONGEST_PROPERTIES) throw invalid(`is longer than ${LONGEST_PROPERTIES} bytes`);
  const text = textOf(bytes);
  const request = parsedJson(text);
  if (typeof request !== 'object' || request === null || Array.isArray(request)) throw invalid('does not hold a JSON object in UTF-8');
  if (duplicateKey(text, request) !== undefined) throw invalid('names a member twice');
  const unexpected = Object.keys(request).find((name) => name !== 'attributes' && name !== 'predicates');
  if (unexpected !== undefined) throw invalid('has a member other than `attributes` and `predicates`');
  return request as Record<string, unknown>;
};

/** Empty when the bytes are not UTF-8. Neither the empty text nor a byte order mark is valid JSON. */
const textOf = (bytes: Buffer): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return '';
  }
};

const invalid = (problem: string): InvalidRequest => new InvalidRequest(`\`properties\` ${problem}`);
