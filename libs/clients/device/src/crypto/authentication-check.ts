import { readRequested, type Requested, type SessionRequest } from '../api/session-request.js';
import { type Bytes, fromBase64 } from './bytes.js';

const MEMBERS = ['sessionId', 'clientId', 'relyingPartyName', 'title', 'requested', 'details', 'changeDigest', 'challenge', 'expiresAt'];

/**
 * The bytes to sign for a login, if they hold exactly the values that the person is shown (specification/app.md#what-the-phone-signs);
 * undefined otherwise.
 * A member that this phone does not know would be signed unseen, so it is refused too.
 */
export const checkAuthentication = (request: SessionRequest): Bytes | undefined => {
  const bytes = fromBase64(request.toBeSigned);
  const statement = bytes && readJson(bytes);
  if (bytes === undefined || statement === undefined) return undefined;
  const asShown =
    Object.keys(statement).every((member) => MEMBERS.includes(member)) &&
    request.signatureAlgorithm === 'ES256' &&
    statement['sessionId'] === request.sessionId &&
    statement['relyingPartyName'] === request.relyingPartyName &&
    statement['title'] === request.title &&
    statement['details'] === request.details &&
    // The hash of the change that the details tell.
    (statement['changeDigest'] === undefined) === (request.details === undefined) &&
    statement['expiresAt'] === request.expiresAt &&
    typeof statement['clientId'] === 'string' &&
    typeof statement['challenge'] === 'string' &&
    statement['challenge'].length >= 22 &&
    sameRequested(statement['requested'], request.requested);
  return asShown ? bytes : undefined;
};

const readJson = (bytes: Bytes): Readonly<Record<string, unknown>> | undefined => {
  try {
    const json: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return typeof json === 'object' && json !== null && !Array.isArray(json) ? { ...json } : undefined;
  } catch {
    return undefined;
  }
};

const sameRequested = (signed: unknown, shown: Requested | undefined): boolean => {
  if (signed === undefined || shown === undefined) return signed === shown;
  const read = readRequested(signed);
  return read !== undefined && sameTexts(read.attributes, shown.attributes) && sameTexts(read.predicates, shown.predicates);
};

const sameTexts = (a: readonly string[], b: readonly string[]): boolean => a.length === b.length && a.every((text, index) => text === b[index]);
