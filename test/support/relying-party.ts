import { createHash, randomBytes } from 'node:crypto';

import { Browser } from './browser.js';
import type { Answer } from './http.js';
import type { Phone } from './phone.js';
import { secret } from './secrets.js';
import { pause, type Service } from './service.js';
import { Staff, word } from './staff.js';

export interface Pkce {
  readonly verifier: string;
  readonly challenge: string;
}

/** A session as its client knows it. */
export interface Login extends Pkce {
  readonly sessionId: string;
  readonly expiresAt: number;
  readonly pushStatus: string;
  readonly handoffToken: string;
  readonly state: string;
}

export const newPkce = (verifier = randomBytes(32).toString('base64url')): Pkce => ({
  verifier: secret('code_verifier', verifier),
  challenge: createHash('sha256').update(verifier, 'ascii').digest('base64url'),
});

export const basic = (clientId: string, clientSecret: string): string =>
  `Basic ${Buffer.from(`${clientId}:${clientSecret}`, 'utf8').toString('base64')}`;

const V1 = '/relying-party/v1/session';

/** A session of the hosted page, and the browser that shows it. */
export interface HostedLogin {
  readonly browser: Browser;
  readonly login: Login;
}

/** A client of the service: its registration, its credentials, and the calls of `/relying-party/v1`. */
export class RelyingParty {
  private constructor(
    readonly service: Service,
    readonly clientId: string,
    public clientSecret: string,
    readonly name: string,
    readonly redirectUri: string,
  ) {}

  /** A new client that no other test knows. */
  static async register(service: Service, terms: Record<string, unknown> = {}): Promise<RelyingParty> {
    const name = (terms['name'] as string | undefined) ?? `Shop ${word()}`;
    const redirectUri = (terms['redirect_uris'] as string[] | undefined)?.[0] ?? `https://${word()}.example/callback`;
    const answer = await new Staff(service).ask('POST', '/clients', {
      name,
      redirect_uris: [redirectUri],
      allowed_attributes: [],
      allowed_predicates: [],
      ...terms,
    });
    const clientSecret = secret('client secret', answer['clientSecret'] as string);
    return new RelyingParty(service, answer['clientId'] as string, clientSecret, name, redirectUri);
  }

  get authorization(): string {
    return basic(this.clientId, this.clientSecret);
  }

  call(method: string, path: string, json?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.service.send({
      method,
      path,
      headers: { authorization: this.authorization, ...headers },
      ...(json !== undefined && { json }),
    });
  }

  /** A valid body of POST session, with changes; `undefined` leaves a field out. */
  sessionBody(changes: Record<string, unknown> = {}): Record<string, unknown> {
    const body: Record<string, unknown> = {
      redirect_uri: this.redirectUri,
      state: `state-${word()}`,
      signature_type: 'AUTHENTICATION',
      code_challenge: newPkce().challenge,
      code_challenge_method: 'S256',
      ...changes,
    };
    remember('state', body['state']);
    remember('title', body['title']);
    return body;
  }

  /** POST session with a valid body, changed. */
  post(changes: Record<string, unknown> = {}, headers: Record<string, string> = {}): Promise<Answer> {
    return this.call('POST', V1, this.sessionBody(changes), headers);
  }

  /** A session that must come to be. */
  async login(changes: Record<string, unknown> = {}, headers: Record<string, string> = {}): Promise<Login> {
    const { verifier, challenge } = newPkce();
    const body = this.sessionBody({ code_challenge: challenge, ...changes });
    const answer = await this.call('POST', V1, body, headers);
    if (answer.status !== 200) throw new Error(`POST session: ${answer.status} ${answer.text}`);
    const { sessionId, expiresAt, pushStatus, handoffToken } = answer.json as unknown as Login;
    remember('handoff token', handoffToken);
    return { sessionId, expiresAt, pushStatus, handoffToken, verifier, challenge, state: body['state'] as string };
  }

  /** A session of the hosted page, claimed by this browser. */
  async claimed(browser = new Browser(this.service), changes: Record<string, unknown> = {}): Promise<HostedLogin> {
    const login = await this.login({ hosted_page: true, ...changes });
    const answer = await browser.claim(login.handoffToken);
    if (answer.status !== 200) throw new Error(`POST claim: ${answer.status} ${answer.text}`);
    return { browser, login };
  }

  status({ sessionId }: Pick<Login, 'sessionId'>, headers: Record<string, string> = {}, query = ''): Promise<Answer> {
    return this.call('GET', `${V1}/${sessionId}/status${query}`, undefined, headers);
  }

  /** The status once it is `wanted`, or after as long as a read may lag behind. */
  async statusOf(login: Pick<Login, 'sessionId'>, wanted?: string): Promise<string> {
    const deadline = Date.now() + this.service.staleness;
    for (;;) {
      // A call that is answered late may have been read early.
      const asked = Date.now();
      const status = (await this.status(login)).json!['status'] as string;
      if (wanted === undefined || status === wanted || asked >= deadline) return status;
      await pause(50);
    }
  }

  async complete({ sessionId }: Pick<Login, 'sessionId'>): Promise<Answer> {
    const answer = await this.call('POST', `${V1}/${sessionId}/completion`);
    if (answer.status === 200) codeIn(answer.json!['redirect'] as string);
    return answer;
  }

  /** The code of a completion that must succeed. */
  async redeemableCode(login: Pick<Login, 'sessionId'>): Promise<string> {
    const answer = await this.complete(login);
    if (answer.status !== 200) throw new Error(`POST completion: ${answer.status} ${answer.text}`);
    return codeIn(answer.json!['redirect'] as string);
  }

  token(code: unknown, verifier: unknown): Promise<Answer> {
    return this.call('POST', `${V1}/token`, { code, code_verifier: verifier });
  }

  result({ sessionId }: Pick<Login, 'sessionId'>): Promise<Answer> {
    return this.call('GET', `${V1}/${sessionId}/result`);
  }

  cancel({ sessionId }: Pick<Login, 'sessionId'>): Promise<Answer> {
    return this.call('DELETE', `${V1}/${sessionId}`);
  }

  /** A session that `phone` has scanned. */
  async scanned(phone: Phone, changes: Record<string, unknown> = {}): Promise<Login> {
    const login = await this.login(changes);
    const answer = await phone.scan(login.sessionId);
    if (answer.status !== 200) throw new Error(`scan: ${answer.status} ${answer.text}`);
    return login;
  }

  /** A session that `phone` has confirmed. */
  async confirmed(phone: Phone, changes: Record<string, unknown> = {}): Promise<Login> {
    const login = await this.scanned(phone, changes);
    const answer = await phone.confirm(login.sessionId);
    if (answer.status !== 200) throw new Error(`confirm: ${answer.status} ${answer.text}`);
    return login;
  }

  /** A completed session and its code, not yet exchanged. */
  async completed(phone: Phone, changes: Record<string, unknown> = {}): Promise<Login & { code: string }> {
    const login = await this.confirmed(phone, changes);
    return { ...login, code: await this.redeemableCode(login) };
  }

  /** A whole login; answers the subjectId of the phone's user at this client. */
  async subjectOf(phone: Phone, changes: Record<string, unknown> = {}): Promise<string> {
    const { code, verifier } = await this.completed(phone, changes);
    const answer = await this.token(code, verifier);
    if (answer.status !== 200) throw new Error(`POST token: ${answer.status} ${answer.text}`);
    return answer.json!['subjectId'] as string;
  }
}

export const codeIn = (redirect: string): string => secret('authorization code', new URL(redirect).searchParams.get('code') ?? '');

/** Short values would be found everywhere. */
const remember = (kind: 'state' | 'title' | 'handoff token', value: unknown): void => {
  if (typeof value === 'string' && value.length >= 12) secret(kind, value);
};
