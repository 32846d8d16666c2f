interface CatalogueEntry {
  readonly status: number;
  /** For developers, in English. A refusal with more detail, such as the name of a field, replaces it. */
  readonly text: string;
}

/** Every error code of the interface (specification/conventions.md#error-codes). */
export const errorCatalogue = {
  invalid_request: { status: 400, text: 'The request is not valid.' },
  invalid_scope: { status: 400, text: 'The client may not request one of these properties.' },
  invalid_grant: { status: 400, text: 'The authorization code is not valid, or code_verifier does not match it.' },
  invalid_handoff: { status: 400, text: 'The handoff token is not valid.' },
  invalid_qr: { status: 400, text: 'The scanned code is not valid any more; scan the one that is shown now.' },
  invalid_activation_code: { status: 400, text: 'The activation code is not valid.' },
  invalid_signature: { status: 400, text: 'The signature does not match what was to be signed.' },

  no_login_cookie: { status: 401, text: 'No login cookie came with the request, or its login is over.' },
  invalid_device_proof: { status: 401, text: 'The device proof is missing or not valid.' },
  unauthorized: { status: 401, text: 'This needs the header Authorization: Bearer <token>.' },

  login_header_required: { status: 403, text: 'This needs the header X-Service-Login: 1.' },
  portal_header_required: { status: 403, text: 'This needs the header X-Service-Portal: 1.' },
  subject_not_allowed: { status: 403, text: 'The session is meant for another person.' },
  return_token_required: { status: 403, text: 'The login was opened by a link; only the browser to which the app returns may finish it.' },
  wrong_pin: { status: 403, text: 'The PIN is wrong.' },
  wrong_verification_code: { status: 403, text: 'Another code was chosen than the waiting page shows; the session is cancelled.' },
  forbidden: { status: 403, text: 'The role of this token may not do this.' },
  not_allowed: { status: 403, text: 'This is not allowed from here.' },

  not_found: { status: 404, text: 'There is nothing under this method and path.' },
  session_not_found: { status: 404, text: 'The session does not exist.' },
  client_not_found: { status: 404, text: 'The client does not exist.' },
  change_not_found: { status: 404, text: 'No such change of the client waits.' },
  logo_not_found: { status: 404, text: 'The client has no such logo.' },
  identity_not_found: { status: 404, text: 'The identity does not exist.' },
  device_not_found: { status: 404, text: 'The device does not exist.' },
  endpoint_not_found: { status: 404, text: 'The webhook endpoint does not exist.' },
  delivery_not_found: { status: 404, text: 'The delivery does not exist.' },
  admin_token_not_found: { status: 404, text: 'The admin token does not exist.' },
  member_not_found: { status: 404, text: 'The person is no member there.' },
  invitation_not_found: { status: 404, text: 'The invitation does not exist, or was used or withdrawn.' },
  portal_session_not_found: { status: 404, text: 'The session of the portal does not exist, or is over.' },
  approval_not_found: { status: 404, text: 'The approval does not exist, was used, or is over.' },
  phone_not_found: { status: 404, text: 'The sandbox phone does not exist.' },

  session_already_completed: { status: 409, text: 'The session was completed before.' },
  session_not_confirmed: { status: 409, text: 'The session is not confirmed.' },
  logout_not_supported: { status: 409, text: 'The relying party takes no log-outs from here. Log out on its own page.' },
  endpoint_not_confirmed: { status: 409, text: 'The webhook endpoint has not proved yet that it verifies signatures.' },
  session_superseded: { status: 409, text: 'Another login was started in this browser.' },
  session_not_cancellable: { status: 409, text: 'The session cannot be cancelled any more.' },
  session_already_scanned: { status: 409, text: 'Another device has scanned the session.' },
  session_not_scanned: { status: 409, text: 'This device has not scanned the session.' },
  not_signed: { status: 409, text: 'The session has no signature yet.' },
  idempotency_conflict: { status: 409, text: 'The same Idempotency-Key came with another body before.' },
  name_taken: { status: 409, text: 'Another client has this name.' },
  approval_required: { status: 409, text: 'Another person has to send the same request and approve it on the phone within 10 minutes.' },
  approval_not_signed: { status: 409, text: 'The change was not approved on the phone yet.' },
  approval_outdated: { status: 409, text: 'Something has changed since the approval. Send the request again.' },
  last_owner: { status: 409, text: 'The last one who leads the team has to stay.' },
  break_glass_refused: { status: 409, text: 'No such break-glass is under way, or it is not allowed now.' },
  details_not_shown: { status: 409, text: 'The session asks for an approval of details that this phone does not show.' },
  reset_not_possible: { status: 409, text: 'This sandbox cannot be reset.' },
  identity_exists: { status: 409, text: 'This person is registered already.' },

  session_expired: { status: 410, text: 'The session is over.' },
  endpoint_retired: { status: 410, text: 'This endpoint is retired; use POST /relying-party/v1/session.' },

  device_locked: { status: 423, text: 'The device is locked after too many wrong PINs.' },
  rate_limited: { status: 429, text: 'Too many requests; wait before the next one.' },

  internal_error: { status: 500, text: 'The service failed. The request id leads to the cause.' },
  service_unavailable: { status: 503, text: 'The service cannot answer now; repeat the request later.' },
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof errorCatalogue;

export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorCatalogue, code);
