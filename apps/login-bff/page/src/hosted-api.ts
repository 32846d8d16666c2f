import { readReply, type Reply, type ServerClock } from '#web-page/browser';

/** The statuses of specification/sessions.md#statuses. */
export type SessionStatus = 'PENDING' | 'SCANNED' | 'CONFIRMED' | 'COMPLETED' | 'CANCELLED' | 'EXPIRED';

export interface Claim {
  readonly sessionId: string;
  readonly relyingPartyName: string;
  /** Epoch seconds. */
  readonly expiresAt: number;
}

export interface StatusAnswer {
  readonly status: SessionStatus;
  readonly expiresAt?: number;
  /** The frame of a rotating QR code, for clients that asked for one (specification/login-ui.md#dynamic-qr). */
  readonly qrPayload?: string;
}

/** How long the service is asked to hold a status answer (RFC 7240 `wait`), and how much longer we wait for it. */
const WAIT_SECONDS = 20;
const GRACE_MS = 10_000;

/** The three hosted-page endpoints. The HttpOnly cookie authorizes the calls; this page never sees it. */
export class HostedApi {
  constructor(
    private readonly baseUrl: string,
    private readonly clock: ServerClock,
    private readonly send: typeof fetch = (input, init) => fetch(input, init),
  ) {}

  claim(handoffToken: string): Promise<Reply<Claim>> {
    const body = JSON.stringify({ handoffToken });
    return this.call('claim', { method: 'POST', headers: { 'content-type': 'application/json' }, body }, readClaim);
  }

  /** @param since hold the answer until the status is later than this (specification/relying-party.md#long-polling); left out: answer now */
  status(sessionId: string, since?: SessionStatus): Promise<Reply<StatusAnswer>> {
    const query = `status?sessionId=${encodeURIComponent(sessionId)}`;
    if (since === undefined) return this.call(query, { method: 'GET' }, readStatus);
    return this.call(`${query}&since=${since}`, { method: 'GET', headers: { prefer: `wait=${WAIT_SECONDS}` } }, readStatus);
  }

  complete(sessionId: string): Promise<Reply<string>> {
    return this.call(`completion?sessionId=${encodeURIComponent(sessionId)}`, { method: 'POST' }, readRedirect);
  }

  private async call<Body>(
    path: string,
    init: RequestInit,
    read: (body: Readonly<Record<string, unknown>>) => Body | undefined,
  ): Promise<Reply<Body>> {
    try {
      const response = await this.send(`${this.baseUrl}/login-ui/v1/session/${path}`, {
        ...init,
        headers: { ...init.headers, 'X-Service-Login': '1' },
        credentials: 'include',
        cache: 'no-store',
        redirect: 'error',
        signal: AbortSignal.timeout(WAIT_SECONDS * 1000 + GRACE_MS),
      });
      this.clock.learnFrom(response);
      return await readReply(response, read);
    } catch {
      return { kind: 'UNREACHABLE' };
    }
  }
}

const readClaim = ({ sessionId, relyingPartyName, expiresAt }: Readonly<Record<string, unknown>>): Claim | undefined =>
  typeof sessionId === 'string' && typeof relyingPartyName === 'string' && typeof expiresAt === 'number'
    ? { sessionId, relyingPartyName, expiresAt }
    : undefined;

const STATUSES: readonly SessionStatus[] = ['PENDING', 'SCANNED', 'CONFIRMED', 'COMPLETED', 'CANCELLED', 'EXPIRED'];

const readStatus = (body: Readonly<Record<string, unknown>>): StatusAnswer | undefined => {
  const status = STATUSES.find((known) => known === body['status']);
  if (status === undefined) return undefined;
  const { expiresAt, qrPayload } = body;
  return {
    status,
    ...(typeof expiresAt === 'number' ? { expiresAt } : {}),
    ...(typeof qrPayload === 'string' ? { qrPayload } : {}),
  };
};

/** Registered addresses are https, or http on loopback; anything else is not followed. */
const readRedirect = ({ redirect }: Readonly<Record<string, unknown>>): string | undefined =>
  typeof redirect === 'string' && /^https?:\/\//i.test(redirect) && URL.canParse(redirect) ? redirect : undefined;
