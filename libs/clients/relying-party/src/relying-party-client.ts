import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';

import { basicCredential } from './basic-credential.js';
import { begunIn, loginIn } from './read-session.js';
import { type CallbackQuery, readCallback } from './callback.js';
import { type LoginSecrets, newLoginSecrets, repeatableLoginSecrets } from './login-secrets.js';
import type { EvidenceKeys } from './login-evidence.js';
import { codeChallengeOf } from './pkce.js';
import { encodeProperties } from './properties.js';
import { documentsIn, listIn, signatureIn, textIn, timeIn } from './read-fields.js';
import type { Cancellable, ChangeOptions, RelyingPartyClientOptions, SettleOptions } from './relying-party-client-options.js';
import { pauseFor, ServiceCalls } from './service-calls.js';
import type {
  DocumentsRequest,
  DocumentsResult,
  HostedLoginRequest,
  HostedSigningRequest,
  LoginRequest,
  LoginResult,
  PendingDocuments,
  PendingHostedLogin,
  PendingHostedSigning,
  PendingLogin,
  PendingSigning,
  SessionState,
  SettledStatus,
  SignedDocument,
  SigningRequest,
  SigningResult,
  SubjectMigrations,
} from './session.js';
import type { Answer } from './read-answer.js';
import { SessionWatch } from './session-watch.js';
import { serviceAddress } from './service-address.js';
import { sha512Of } from './sha512-of.js';

/**
 * Calls the service for a relying party's server. It holds the client secret, so it belongs on a server. It writes no log and
 * redacts the secret when it is printed.
 *
 * Calls throw a `CountersignError`, or the reason of their `signal`.
 */
export class RelyingPartyClient {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly #clientSecret: string;
  readonly #calls: ServiceCalls;
  readonly #watch: SessionWatch;

  constructor(options: RelyingPartyClientOptions) {
    this.baseUrl = serviceAddress(options.baseUrl, options.allowPlainHttp ?? false);
    this.clientId = options.clientId;
    this.#clientSecret = options.clientSecret;
    const pause = options.pause ?? pauseFor;
    this.#calls = new ServiceCalls({
      baseUrl: this.baseUrl,
      authorization: basicCredential(options.clientId, options.clientSecret),
      fetch: options.fetch ?? globalThis.fetch,
      timeoutMs: options.timeoutMs ?? 10_000,
      retries: options.retries ?? 2,
      pause,
    });
    this.#watch = new SessionWatch({ calls: this.#calls, pause, pollIntervalMs: options.pollIntervalMs ?? 2000 });
  }

  /**
   * Creates a session with a fresh `state` and PKCE pair. Keep the result in the user's session on your server. With `hostedPage: true`
   * it has the `handoffToken` for {@link loginPageUrl}.
   */
  async beginLogin(request: HostedLoginRequest, options?: Cancellable): Promise<PendingHostedLogin>;
  async beginLogin(request: LoginRequest, options?: Cancellable): Promise<PendingLogin>;
  async beginLogin(request: LoginRequest, { signal }: Cancellable = {}): Promise<PendingLogin> {
    const { state, codeVerifier } = this.#secretsFor(request);
    const begun = await this.#begin(request, signal, {
      signature_type: 'AUTHENTICATION',
      redirect_uri: request.redirectUri,
      state,
      code_challenge: codeChallengeOf(codeVerifier),
      code_challenge_method: 'S256',
      hosted_page: request.hostedPage,
      properties: request.properties && encodeProperties(request.properties),
      evidence: request.evidence,
    });
    return { ...begun, state, codeVerifier };
  }

  /** Creates a session for a signature. The data is hashed here and not sent. With `redirectUri` it has the `handoffToken` and the `state`. */
  async beginSigning(request: HostedSigningRequest, options?: Cancellable): Promise<PendingHostedSigning>;
  async beginSigning(request: SigningRequest, options?: Cancellable): Promise<PendingSigning>;
  async beginSigning(request: SigningRequest, { signal }: Cancellable = {}): Promise<PendingSigning> {
    const signedDataHash = await sha512Of(request.data);
    const body = { signed_data_hash: signedDataHash, signed_data_name: request.name, signed_data_size: request.size };
    return { ...(await this.#beginSigning(request, signal, body)), signedDataHash };
  }

  /** Creates a session for one signature over several documents. They are hashed here, one after the other, and not sent. */
  async beginSigningDocuments(request: DocumentsRequest, { signal }: Cancellable = {}): Promise<PendingDocuments> {
    const documents: (SignedDocument & { readonly size?: number | undefined })[] = [];
    for (const { name, data, size } of request.documents) documents.push({ name, hash: await sha512Of(data), size });
    const begun = await this.#beginSigning(request, signal, { documents });
    return { ...begun, documents: documents.map(({ name, hash }) => ({ name, hash })) };
  }

  /**
   * The result of a COMPLETED signing, any number of times within 1800 s after signing; then `SessionNotFound`. Throws `NotSigned`
   * where there is none, or none yet.
   */
  async result(sessionId: string, options: Cancellable = {}): Promise<SigningResult> {
    const answer = await this.#result(sessionId, options);
    return { ...signatureIn(answer), signedDataHash: textIn(answer, 'signedDataHash'), signedDataName: textIn(answer, 'signedDataName') };
  }

  /** The result of a session of {@link beginSigningDocuments}, as {@link result}. */
  async documentsResult(sessionId: string, options: Cancellable = {}): Promise<DocumentsResult> {
    const answer = await this.#result(sessionId, options);
    return { ...signatureIn(answer), documents: documentsIn(answer) };
  }

  /** The current status. */
  async status(sessionId: string, options: Cancellable = {}): Promise<SessionState> {
    return this.#watch.status(sessionId, options);
  }

  /**
   * The status as soon as it is later than `since`, or the unchanged one after `waitSeconds`. The service holds the answer
   * (`Prefer: wait`, RFC 7240). Where it does not, or a proxy drops the header, this polls.
   */
  async waitForChange(sessionId: string, options: ChangeOptions = {}): Promise<SessionState> {
    return this.#watch.waitForChange(sessionId, options);
  }

  /**
   * Waits until the user has decided or the session has expired: CONFIRMED for a login, COMPLETED for a signing. Keeps waiting while
   * the service is unavailable.
   */
  async waitUntilSettled(sessionId: string, options: SettleOptions = {}): Promise<SettledStatus> {
    return this.#watch.waitUntilSettled(sessionId, options);
  }

  /**
   * Completes a CONFIRMED login of your own waiting page: once, then 409. Returns the address to send the browser to, with
   * `code` and `state` for {@link finishLogin}.
   */
  async complete(sessionId: string, { signal }: Cancellable = {}): Promise<string> {
    const path = `session/${encodeURIComponent(sessionId)}/completion`;
    return textIn(await this.#calls.send({ method: 'POST', path, repeatable: 'WHEN_REFUSED', signal }), 'redirect');
  }

  /** Cancels a login while it is PENDING or SCANNED. The phone is told. */
  async withdraw(sessionId: string, { signal }: Cancellable = {}): Promise<void> {
    const path = `session/${encodeURIComponent(sessionId)}`;
    await this.#calls.send({ method: 'DELETE', path, repeatable: 'WHEN_REFUSED', signal });
  }

  /**
   * Ends a login with the query of the callback: checks `state`, then redeems the code. Throws `CallbackRefused` and does not
   * redeem the code when the state is missing or different.
   */
  async finishLogin(login: Pick<PendingLogin, 'state' | 'codeVerifier'>, callback: CallbackQuery, options: Cancellable = {}): Promise<LoginResult> {
    return this.exchange({ code: readCallback(login.state, callback), codeVerifier: login.codeVerifier }, options);
  }

  /**
   * Redeems a code whose `state` was checked. Never repeated: a code is valid for one attempt, so begin a new login after any
   * failure.
   */
  async exchange(grant: { readonly code: string; readonly codeVerifier: string }, { signal }: Cancellable = {}): Promise<LoginResult> {
    const answer = await this.#calls.send({
      method: 'POST',
      path: 'session/token',
      body: { code: grant.code, code_verifier: grant.codeVerifier },
      repeatable: 'NEVER',
      signal,
    });
    return loginIn(answer);
  }

  /**
   * One page of the accounts whose subjectId changes: empty unless the service rotates the key of its subjectIds. Go on with `after: page.next` until there is none.
   * Both values are accepted as `subjectId` until `endsAt`.
   */
  async subjectMigrations({ after, signal }: Cancellable & { readonly after?: string | undefined } = {}): Promise<SubjectMigrations> {
    const path = `subject-migrations?limit=500${after === undefined ? '' : `&after=${encodeURIComponent(after)}`}`;
    const answer = await this.#calls.send({ method: 'GET', path, repeatable: 'ALWAYS', signal });
    const { body } = answer;
    return {
      ...(body['changesAt'] !== undefined && { changesAt: timeIn(answer, 'changesAt') }),
      ...(body['endsAt'] !== undefined && { endsAt: timeIn(answer, 'endsAt') }),
      subjects: listIn(answer, 'subjects').map((pair) => ({
        formerSubjectId: textIn(pair, 'formerSubjectId'),
        subjectId: textIn(pair, 'subjectId'),
      })),
      ...(body['next'] !== undefined && { next: textIn(answer, 'next') }),
    };
  }

  /** The public keys of the service of today, for `verifyEvidence`. Keep them with the evidence. */
  async evidenceKeys({ signal }: Cancellable = {}): Promise<EvidenceKeys> {
    const answer = await this.#calls.send({ method: 'GET', path: '/openid/jwks', repeatable: 'ALWAYS', signal });
    return { keys: listIn(answer, 'keys').map(({ body }) => body) };
  }

  toJSON(): object {
    return { baseUrl: this.baseUrl, clientId: this.clientId, clientSecret: '[redacted]' };
  }

  [inspect.custom](): string {
    return `RelyingPartyClient ${inspect(this.toJSON())}`;
  }

  #secretsFor({ idempotencyKey }: LoginRequest | SigningRequest | DocumentsRequest): LoginSecrets {
    return idempotencyKey ? repeatableLoginSecrets(this.#clientSecret, idempotencyKey) : newLoginSecrets();
  }

  async #beginSigning(request: SigningRequest | DocumentsRequest, signal: AbortSignal | undefined, body: Record<string, unknown>) {
    const { redirectUri } = request;
    const hosted = redirectUri !== undefined;
    const { state } = this.#secretsFor(request);
    const page = hosted && { hosted_page: true, redirect_uri: redirectUri, state };
    const begun = await this.#begin(request, signal, { signature_type: 'SIGNING', ...body, ...page });
    return { ...begun, ...(hosted && { state }) };
  }

  #result(sessionId: string, { signal }: Cancellable): Promise<Answer> {
    const path = `session/${encodeURIComponent(sessionId)}/result`;
    return this.#calls.send({ method: 'GET', path, repeatable: 'ALWAYS', signal });
  }

  async #begin(request: LoginRequest | SigningRequest | DocumentsRequest, signal: AbortSignal | undefined, body: Record<string, unknown>) {
    const { idempotencyKey, title, subjectId, push } = request;
    // The service counts null as absent: a lost value would open the session to every person.
    if ('subjectId' in request && typeof subjectId !== 'string')
      throw new TypeError('subjectId has no value; leave it out if every person may approve');
    const answer = await this.#calls.send({
      method: 'POST',
      path: 'session',
      headers: { 'idempotency-key': idempotencyKey ?? randomUUID() },
      body: { ...body, title, subject_id: subjectId, push },
      repeatable: 'ALWAYS',
      signal,
    });
    return begunIn(answer, body['hosted_page'] === true);
  }
}
