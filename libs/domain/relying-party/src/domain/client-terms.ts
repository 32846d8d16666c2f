import { codePoints, InvalidRequest, isPlainText } from '#kernel';

import { type ClientTerms, FAPI_ALGORITHMS } from './client.js';
import { withoutSpelledJoiners } from './name/joiners.js';
import { hasOneScriptPerWord } from './name/one-script.js';
import { skeletonOf } from './name/skeleton.js';
import { isAllowablePredicate, isAttributeName } from './properties.js';
import { redirectUriFault } from './redirect-uri.js';

/** Code points of a name, and entries of a list. */
export const CLIENT_LIMITS = { shortestName: 3, longestName: 64, entries: 100 } as const;

/** Checks the rules of a registration (specification/admin.md#clients). Throws {@link InvalidRequest}, which names the field. */
export const checkTerms = (terms: ClientTerms): void => {
  checkName(terms.name);
  checkList('redirect_uris', terms.redirectUris, redirectUriFault);
  checkList('allowed_attributes', terms.allowedAttributes, (name) => (isAttributeName(name) ? undefined : 'is no attribute name'));
  checkList('allowed_predicates', terms.allowedPredicates, (name) =>
    isAllowablePredicate(name) ? undefined : 'must be ageOver*, ageOver1 to ageOver120, or countryIs with an ISO 3166-1 alpha-2 code',
  );
  if (terms.finishByNumber && terms.dynamicQr)
    throw new InvalidRequest('`finish_by_number` cannot be on together with `dynamic_qr`, which it would undo.');
  // RFC 7591 section 2.
  if (terms.jwksUri && terms.jwks && terms.jwks.keys.length > 0)
    throw new InvalidRequest('`jwks_uri` cannot stand beside keys in `jwks`: empty one of them with the same request.');
  if (terms.tokenEndpointAuthMethod && !hasKeys(terms)) throw new InvalidRequest(`With \`token_endpoint_auth_method\` ${KEYS_NEEDED}.`);
  if (terms.requireSignedRequestObject) checkFapiTerms(terms);
};

const KEYS_NEEDED = 'the client needs keys: `jwks` or `jwks_uri`';

const hasKeys = ({ jwks, jwksUri }: ClientTerms): boolean => Boolean(jwksUri) || (jwks?.keys.length ?? 0) > 0;

/** FAPI 2.0 Security Profile sections 5.3.2 and 5.4. */
const checkFapiTerms = (terms: ClientTerms): void => {
  const fault = FAPI_RULES.find(({ holds }) => !holds(terms))?.fault;
  if (fault !== undefined) throw new InvalidRequest(`With \`require_signed_request_object\` ${fault}.`);
};

const FAPI_RULES: readonly { readonly fault: string; readonly holds: (terms: ClientTerms) => boolean }[] = [
  { fault: KEYS_NEEDED, holds: hasKeys },
  { fault: '`require_pushed_authorization_requests` cannot be off', holds: (terms) => terms.requirePushedAuthorizationRequests !== false },
  { fault: '`require_pkce` cannot be off', holds: (terms) => terms.requirePkce !== false },
  { fault: '`dpop_bound_access_tokens` must be on', holds: (terms) => terms.dpopBoundAccessTokens === true },
  {
    fault: '`id_token_signed_response_alg` must be PS256 or ES256',
    holds: ({ idTokenSignedResponseAlg: alg }) => FAPI_ALGORITHMS.some((allowed) => allowed === alg),
  },
];

/** The wanted terms that differ from the present ones. */
export const differences = (terms: ClientTerms, wanted: Partial<ClientTerms>): Partial<ClientTerms> =>
  Object.fromEntries(Object.entries(wanted).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(terms[name as keyof ClientTerms])));

const checkName = (name: string): void => {
  const length = codePoints(name);
  if (length < CLIENT_LIMITS.shortestName || length > CLIENT_LIMITS.longestName) throw new InvalidRequest('`name` must have 3 to 64 characters.');
  if (!isPlainText(name)) throw new InvalidRequest('`name` must hold no control or direction-override character.');
  // Invisible, so that two names would look the same: zero-width characters, soft hyphens, marks of direction.
  if (/\p{Cf}/u.test(withoutSpelledJoiners(name))) throw new InvalidRequest('`name` must hold no invisible format character.');
  if (name !== name.trim()) throw new InvalidRequest('`name` must not begin or end with white space.');
  if (skeletonOf(name) === '') throw new InvalidRequest('`name` must hold a character that shows.');
  if (!/[\p{L}\p{N}\p{So}]/u.test(name.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')))
    throw new InvalidRequest('`name` must hold a letter, a figure or a picture.');
  if (!hasOneScriptPerWord(name)) throw new InvalidRequest('`name` must not mix scripts within a word, such as Latin and Cyrillic letters.');
};

const checkList = (field: string, entries: readonly string[], faultOf: (entry: string) => string | undefined): void => {
  if (entries.length > CLIENT_LIMITS.entries) throw new InvalidRequest(`\`${field}\` must have at most ${CLIENT_LIMITS.entries} entries.`);
  entries.forEach((entry, index) => {
    const fault = faultOf(entry) ?? (entries.indexOf(entry) < index ? 'is there twice' : undefined);
    if (fault) throw new InvalidRequest(`\`${field}[${index}]\` ${fault}.`);
  });
};
