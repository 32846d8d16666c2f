import { readReply, readUrl, type Reply, type ServerClock, textsIn } from '#web-page/browser';
import type { Answers } from './answers.js';
import { sendClaim, sendDescribe, sendHosted, WAIT_SECONDS } from './hosted-request.js';

/** The facts about its login that the page may know (specification/login-ui.md#get-session). */
export type LoginDetails = Answers['GET /login-ui/v1/session'];
export type StatusAnswer = Answers['GET /login-ui/v1/session/status'];
export type SessionStatus = StatusAnswer['status'];
export type PushStatus = LoginDetails['pushStatus'];
export type CancelReason = NonNullable<LoginDetails['reason']>;

/** The hosted-page endpoints. The HttpOnly cookie authorizes the calls; this page never sees it. */
export class HostedApi {
  constructor(
    private readonly baseUrl: string,
    private readonly clock: ServerClock,
    private readonly send: typeof fetch = (input, init) => fetch(input, init),
    /** The first call, which the first script has sent already: a claim where it found a token, else GET session. */
    private sent?: Promise<Response>,
  ) {}

  /** Answers everything that the first scene shows. A repetition is a request of its own. */
  claim(handoffToken: string): Promise<Reply<LoginDetails>> {
    return this.answerTo(this.takeSent() ?? sendClaim(this.baseUrl, handoffToken, this.send), readDetails);
  }

  /** The login of the cookie. */
  describe(): Promise<Reply<LoginDetails>> {
    return this.answerTo(this.takeSent() ?? sendDescribe(this.baseUrl, this.send), readDetails);
  }

  /** Withdraws the request. */
  withdraw(sessionId: string): Promise<Reply<true>> {
    return this.call(`?sessionId=${encodeURIComponent(sessionId)}`, { method: 'DELETE' }, () => true);
  }

  /** Sends the request to the phone once more. */
  pushAgain(sessionId: string): Promise<Reply<PushStatus>> {
    return this.call(`/push?sessionId=${encodeURIComponent(sessionId)}`, { method: 'POST' }, ({ pushStatus }) => oneOf(PUSH_STATUSES, pushStatus));
  }

  /** @param since hold the answer until the status is later than this (specification/relying-party.md#long-polling); left out: answer now */
  status(sessionId: string, since?: SessionStatus): Promise<Reply<StatusAnswer>> {
    const query = `/status?sessionId=${encodeURIComponent(sessionId)}`;
    if (since === undefined) return this.call(query, { method: 'GET' }, readStatus);
    return this.call(`${query}&since=${since}`, { method: 'GET', headers: { prefer: `wait=${WAIT_SECONDS}` } }, readStatus);
  }

  /** @param returnToken the app brought it back, after a login by link */
  complete(sessionId: string, returnToken?: string): Promise<Reply<string>> {
    const body = returnToken !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ return_token: returnToken }),
    };
    return this.call(`/completion?sessionId=${encodeURIComponent(sessionId)}`, { method: 'POST', ...body }, readRedirect);
  }

  /** @param number six digits that the phone shows; there is one try */
  finishByNumber(sessionId: string, number: string): Promise<Reply<string>> {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ number }) };
    return this.call(`/number?sessionId=${encodeURIComponent(sessionId)}`, init, readRedirect);
  }

  private takeSent(): Promise<Response> | undefined {
    const { sent } = this;
    this.sent = undefined;
    return sent;
  }

  private call<Body>(path: string, init: RequestInit, read: (body: Readonly<Record<string, unknown>>) => Body | undefined): Promise<Reply<Body>> {
    return this.answerTo(sendHosted(this.baseUrl, path, init, this.send), read);
  }

  private async answerTo<Body>(sent: Promise<Response>, read: (body: Readonly<Record<string, unknown>>) => Body | undefined): Promise<Reply<Body>> {
    try {
      const response = await sent;
      this.clock.learnFrom(response);
      return await readReply(response, read);
    } catch {
      return { kind: 'UNREACHABLE' };
    }
  }
}

const PUSH_STATUSES: readonly PushStatus[] = ['NOT_REQUESTED', 'DISPATCHED', 'NO_DEVICE'];
const REASONS: readonly CancelReason[] = ['DECLINED', 'WRONG_CODE', 'WITHDRAWN', 'SIGNING_FAILED'];

const oneOf = <Value extends string>(values: readonly Value[], value: unknown): Value | undefined => values.find((known) => known === value);

const readDetails = (body: Readonly<Record<string, unknown>>): LoginDetails | undefined => {
  const { sessionId, relyingPartyName, expiresAt, signedDataSize } = body;
  const status = oneOf(STATUSES, body['status']);
  if (typeof sessionId !== 'string' || typeof relyingPartyName !== 'string' || status === undefined) return undefined;
  const reason = oneOf(REASONS, body['reason']);
  return {
    sessionId,
    relyingPartyName,
    status,
    signatureType: body['signatureType'] === 'SIGNING' ? 'SIGNING' : 'AUTHENTICATION',
    pushStatus: oneOf(PUSH_STATUSES, body['pushStatus']) ?? 'NOT_REQUESTED',
    ...textsIn(body, 'relyingPartyDomain', 'relyingPartyLogo', 'signedDataName', 'signedDataHash', 'qrPayload', 'verificationCode'),
    ...(isWebAddress(body['relyingPartyUrl']) && { relyingPartyUrl: body['relyingPartyUrl'] }),
    ...(isWebAddress(body['endUrl']) && { endUrl: body['endUrl'] }),
    ...(typeof expiresAt === 'number' && { expiresAt }),
    ...(typeof signedDataSize === 'number' && { signedDataSize }),
    ...(reason && { reason }),
    ...(body['finishByNumber'] === true && { finishByNumber: true }),
    ...(Array.isArray(body['documents']) && { documents: body['documents'] as NonNullable<LoginDetails['documents']> }),
  };
};

const STATUSES: readonly SessionStatus[] = ['PENDING', 'SCANNED', 'CONFIRMED', 'COMPLETED', 'CANCELLED', 'EXPIRED'];

const readStatus = (body: Readonly<Record<string, unknown>>): StatusAnswer | undefined => {
  const status = oneOf(STATUSES, body['status']);
  if (status === undefined) return undefined;
  const { expiresAt } = body;
  return { status, ...(typeof expiresAt === 'number' && { expiresAt }), ...textsIn(body, 'qrPayload') };
};

/** Registered addresses are https, or http on loopback; anything else is not followed. */
const isWebAddress = (text: unknown): text is string => typeof text === 'string' && /^https?:\/\//i.test(text) && readUrl(text) !== undefined;

const readRedirect = ({ redirect }: Readonly<Record<string, unknown>>): string | undefined => (isWebAddress(redirect) ? redirect : undefined);
