import { errorCatalogue } from './error-catalogue.js';

/** specification/conventions.md#error-codes: the codes of the interface. */
const SPECIFICATION = [
  [400, 'invalid_request'],
  [400, 'invalid_scope'],
  [400, 'invalid_grant'],
  [400, 'invalid_handoff'],
  [401, 'no_login_cookie'],
  [404, 'session_not_found'],
  [409, 'session_already_completed'],
  [409, 'not_signed'],
  [409, 'session_superseded'],
] as const;

/** specification/conventions.md#error-codes: the codes of the extensions. */
const EXTENSIONS = [
  [409, 'session_not_confirmed'],
  [403, 'login_header_required'],
  [429, 'rate_limited'],
  [409, 'idempotency_conflict'],
  [409, 'session_not_cancellable'],
  [503, 'service_unavailable'],
  [410, 'endpoint_retired'],
  [401, 'invalid_device_proof'],
  [400, 'invalid_activation_code'],
  [409, 'session_already_scanned'],
  [403, 'subject_not_allowed'],
  [410, 'session_expired'],
  [400, 'invalid_qr'],
  [423, 'device_locked'],
  [403, 'wrong_pin'],
  [409, 'session_not_scanned'],
  [400, 'invalid_signature'],
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [404, 'admin_token_not_found'],
  [409, 'approval_required'],
  [404, 'approval_not_found'],
  [409, 'approval_not_signed'],
  [409, 'approval_outdated'],
  [409, 'last_owner'],
  [409, 'details_not_shown'],
  [409, 'break_glass_refused'],
  [404, 'portal_session_not_found'],
  [404, 'client_not_found'],
  [404, 'identity_not_found'],
  [404, 'device_not_found'],
  [404, 'endpoint_not_found'],
  [409, 'endpoint_not_confirmed'],
  [409, 'logout_not_supported'],
  [404, 'logo_not_found'],
  [404, 'change_not_found'],
  [409, 'name_taken'],
  [409, 'identity_exists'],
  [409, 'reset_not_possible'],
  [403, 'portal_header_required'],
  [403, 'return_token_required'],
  [403, 'wrong_verification_code'],
  [403, 'not_allowed'],
  [404, 'not_found'],
  [404, 'delivery_not_found'],
  [404, 'member_not_found'],
  [404, 'invitation_not_found'],
  [404, 'phone_not_found'],
  [500, 'internal_error'],
] as const;

describe('the error catalogue', () => {
  it.each([...SPECIFICATION, ...EXTENSIONS])('answers %d for %s', (status, code) => {
    expect(errorCatalogue[code].status).toBe(status);
  });

  it('has no code that these lists lack', () => {
    expect(Object.keys(errorCatalogue).toSorted()).toEqual([...SPECIFICATION, ...EXTENSIONS].map(([, code]) => code).toSorted());
  });

  it('has no invalid_client', () => {
    expect(errorCatalogue).not.toHaveProperty('invalid_client');
  });

  it('explains each code in sentences', () => {
    for (const { text } of Object.values(errorCatalogue)) expect(text).toMatch(/^[A-Z].*[.>]$/);
  });
});
