import type { Answer, HttpRequest } from './http.js';

/** Every error code and its status: specification/conventions.md#error-codes. */
export const ERROR_CODES: Readonly<Record<string, number>> = {
  invalid_request: 400,
  invalid_scope: 400,
  invalid_grant: 400,
  invalid_handoff: 400,
  invalid_qr: 400,
  invalid_activation_code: 400,
  invalid_signature: 400,
  no_login_cookie: 401,
  invalid_device_proof: 401,
  unauthorized: 401,
  login_header_required: 403,
  portal_header_required: 403,
  forbidden: 403,
  subject_not_allowed: 403,
  return_token_required: 403,
  wrong_verification_code: 403,
  wrong_pin: 403,
  not_allowed: 403,
  not_found: 404,
  session_not_found: 404,
  client_not_found: 404,
  identity_not_found: 404,
  device_not_found: 404,
  endpoint_not_found: 404,
  logo_not_found: 404,
  change_not_found: 404,
  delivery_not_found: 404,
  admin_token_not_found: 404,
  member_not_found: 404,
  invitation_not_found: 404,
  phone_not_found: 404,
  session_already_completed: 409,
  session_not_confirmed: 409,
  logout_not_supported: 409,
  endpoint_not_confirmed: 409,
  session_superseded: 409,
  session_not_cancellable: 409,
  session_already_scanned: 409,
  session_not_scanned: 409,
  not_signed: 409,
  idempotency_conflict: 409,
  name_taken: 409,
  identity_exists: 409,
  approval_required: 409,
  session_expired: 410,
  endpoint_retired: 410,
  device_locked: 423,
  rate_limited: 429,
  service_unavailable: 503,
};

/** What HTTP itself refuses, and bodies over the limit or of another type, carry `invalid_request` too (specification/conventions.md#http). */
const STATUSES_OF_INVALID_REQUEST = [400, 408, 413, 415, 417, 431];

class RuleBroken extends Error {}

/**
 * The rules for every answer of the service, to any request. `Service.send` applies it to each one, so
 * that every test of the suite is a test of these rules as well.
 */
export const assertUniversalRules = (request: HttpRequest, answer: Answer): void => {
  const rule = (holds: boolean, text: string): void => {
    if (!holds) throw new RuleBroken(`${request.method} ${request.path.slice(0, 200)} → ${answer.status} ${answer.text.slice(0, 500)}\n${text}`);
  };
  const { status, headers, json } = answer;
  rule(status < 500 || status === 503, 'no request makes the service fail');
  rule(!answer.text.includes('invalid_client'), 'invalid_client is never returned');
  rule(headers['x-powered-by'] === undefined, 'the service does not name its framework');
  if (isRelyingPartyPath(request.path)) {
    rule(!Object.keys(headers).some((name) => name.startsWith('access-control-')), 'browsers cannot call /relying-party/: no CORS header');
    rule(headers['set-cookie'] === undefined, '/relying-party/ sets no cookie');
    if (status === 401) {
      rule(answer.text === '', 'a 401 of Basic authentication has no body');
      rule(headers['www-authenticate'] === 'Basic realm="Realm"', 'a 401 of Basic authentication names the realm');
      return;
    }
    rule(headers['www-authenticate'] === undefined, 'only a 401 asks for credentials');
  }
  if (!isApi(request.path) || request.method === 'OPTIONS' || request.method === 'HEAD') return;
  if (status === 204) return rule(answer.text === '', 'a 204 has no body');
  rule(json !== undefined && !Array.isArray(json), 'a body is a JSON object');
  rule(/^application\/json\b/.test(headers['content-type'] ?? ''), 'a body is labelled as JSON');
  rule(headers['cache-control'] === 'no-store', 'no answer is stored on its way');
  if (status < 400) {
    rule(!('errorCode' in json!) && !('payload' in json!), 'a success is not wrapped in the envelope');
    rule(!answer.text.includes(':null'), 'null fields are omitted');
    return;
  }
  const { errorCode, defaultTranslation, resultMessageLangCode, payload } = json as Record<string, unknown>;
  rule(Object.keys(json!).sort().join() === 'defaultTranslation,errorCode,payload,resultMessageLangCode', 'an error is the envelope');
  rule(typeof defaultTranslation === 'string' && defaultTranslation !== '', 'defaultTranslation is a message');
  rule(resultMessageLangCode === 'en', 'resultMessageLangCode is a language code');
  rule(typeof errorCode === 'string' && errorCode in ERROR_CODES, 'errorCode is one of the table');
  const statuses = errorCode === 'invalid_request' ? STATUSES_OF_INVALID_REQUEST : [ERROR_CODES[errorCode as string]];
  rule(statuses.includes(status), 'errorCode and status belong together');
  rule(payload === null || errorCode === 'wrong_pin' || errorCode === 'invalid_device_proof', 'payload is null');
};

const isRelyingPartyPath = (path: string): boolean => path.startsWith('/relying-party/');

const isApi = (path: string): boolean => /^\/(relying-party|login-ui|app|admin|sandbox)\/v1\//.test(path);
