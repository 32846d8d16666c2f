import { JsonClient } from './json-client.js';
import type { Measured } from './server.js';

const SESSION = '/relying-party/v1/session';

/** A relying party's server. */
export class RelyingParty {
  readonly #client: JsonClient;

  constructor(
    server: Measured,
    readonly clientId: string,
    clientSecret: string,
    readonly redirectUri: string,
  ) {
    const credential = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
    this.#client = new JsonClient(server.url, { authorization: `Basic ${credential}` });
  }

  get headers(): Readonly<Record<string, string>> {
    return this.#client.headers;
  }

  /** The body of POST session. */
  login(codeChallenge: string): object {
    return {
      redirect_uri: this.redirectUri,
      state: 'bench',
      signature_type: 'AUTHENTICATION',
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
    };
  }

  async create(codeChallenge: string): Promise<string> {
    return (await this.#client.post<{ sessionId: string }>(SESSION, this.login(codeChallenge))).sessionId;
  }

  /** Begins a login on the hosted page; answers the token that opens it. */
  async handoffToken(codeChallenge: string): Promise<string> {
    const { handoffToken } = await this.#client.post<{ handoffToken: string }>(SESSION, { ...this.login(codeChallenge), hosted_page: true });
    return handoffToken;
  }

  /** Answers the authorization code. */
  async complete(sessionId: string): Promise<string> {
    const { redirect } = await this.#client.post<{ redirect: string }>(`${SESSION}/${sessionId}/completion`);
    return new URL(redirect).searchParams.get('code') ?? '';
  }

  async exchange(code: string, codeVerifier: string): Promise<string> {
    return (await this.#client.post<{ subjectId: string }>(`${SESSION}/token`, { code, code_verifier: codeVerifier })).subjectId;
  }
}
