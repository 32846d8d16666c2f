import type { Client } from '#domain/relying-party';
import type { CreateSession } from '#domain/session';

import type { Parameters } from '../domain/authorization-request.js';
import { InvalidDpopProof, OAuthError } from '../domain/oauth-error.js';
import { REQUEST_URI } from '../domain/request-uri.js';
import type { DpopProofs } from '../keys/dpop-proofs.js';
import type { RequestObjects } from '../keys/request-objects.js';
import { type AuthorizationRequests, registeredRedirectUri } from '../authorization-requests.js';

export interface PushedRequest {
  readonly request_uri: string;
  /** Seconds. */
  readonly expires_in: number;
}

export interface PushAuthorizationRequestParts {
  readonly requests: AuthorizationRequests;
  readonly createSession: CreateSession;
  readonly requestObjects: Pick<RequestObjects, 'signedOf'>;
  readonly dpopProofs: Pick<DpopProofs, 'check'>;
  readonly issuer: string;
  /** Of a handoff token, in seconds. */
  readonly life: number;
}

/** POST par (RFC 9126): a session with the hosted page, whose handoff token the `request_uri` carries. */
export class PushAuthorizationRequest {
  constructor(private readonly parts: PushAuthorizationRequestParts) {}

  /** Throws OAuthError, and what CreateSession throws. `proof`: the header `DPoP` (RFC 9449 section 10.1). */
  async execute(pushed: Parameters, client: Client, proof?: string): Promise<PushedRequest> {
    const { requests, requestObjects, createSession, life } = this.parts;
    const given = await this.#withKeyOf(proof, await requestObjects.signedOf(pushed, client));
    if (given['redirect_uri'] === undefined) throw new OAuthError('invalid_request', 'redirect_uri is required');
    const registered = registeredRedirectUri(given, client);
    if (registered === undefined) throw new OAuthError('invalid_request', 'redirect_uri is not registered for this client');
    const request = await requests.read(given, registered, client);
    const { handoffToken = '' } = await createSession.execute({ signatureType: 'AUTHENTICATION', hostedPage: true, ...request }, client);
    return { request_uri: `${REQUEST_URI}${handoffToken}`, expires_in: life };
  }

  /** The key of the proof binds the code, as `dpop_jkt` does. */
  async #withKeyOf(proof: string | undefined, given: Parameters): Promise<Parameters> {
    if (proof === undefined) return given;
    const jkt = await this.parts.dpopProofs.check(proof, { method: 'POST', url: `${this.parts.issuer}/par` });
    if ((given['dpop_jkt'] ?? jkt) !== jkt) throw new InvalidDpopProof('dpop_jkt names another key than that of the proof');
    return { ...given, dpop_jkt: jkt };
  }
}
