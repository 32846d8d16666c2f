import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyResult, jwtVerify } from 'jose';

import { type Answer, approve, exchange, issuerOf, type Phone, RelyingParty, secret, type Service, word } from '../../support/index.js';

/** The parameters of a call; undefined leaves one out. */
export type Form = Readonly<Record<string, string | undefined>>;
type Headers = Readonly<Record<string, string>>;

const encoded = (form: Form): string =>
  new URLSearchParams(Object.entries(form).filter((entry): entry is [string, string] => entry[1] !== undefined)).toString();

/** A relying party as the suite of the OpenID Foundation plays one: it builds each request by hand, and looks at each member of the answers. */
export class OpenIdParty {
  private constructor(
    readonly service: Service,
    readonly issuer: string,
    readonly shop: RelyingParty,
  ) {}

  static async register(service: Service, terms: Readonly<Record<string, unknown>>): Promise<OpenIdParty> {
    return new OpenIdParty(service, await issuerOf(service), await RelyingParty.register(service, terms));
  }

  /** The parameters of a request without a code challenge. */
  request(changes: Form = {}): Form {
    return {
      client_id: this.shop.clientId,
      redirect_uri: this.shop.redirectUri,
      response_type: 'code',
      scope: 'openid',
      state: secret('state', `state-${word()}`),
      nonce: word(),
      ...changes,
    };
  }

  get(path: string, query: Form = {}, headers: Headers = {}): Promise<Answer> {
    return this.#send({ method: 'GET', path: `/openid/${path}${Object.keys(query).length > 0 ? `?${encoded(query)}` : ''}`, headers });
  }

  post(path: string, form: Form, headers: Headers = {}): Promise<Answer> {
    const sent = { 'content-type': 'application/x-www-form-urlencoded', ...headers };
    return this.#send({ method: 'POST', path: `/openid/${path}`, headers: sent, raw: encoded(form) });
  }

  /** An answer that the provider sends back by the browser, or the address of the login page. */
  locationOf({ headers }: Answer): URL {
    return new URL(String(headers.location));
  }

  /** The person approves the request of a browser: where the browser comes back to. */
  approve(query: Form, phone: Phone): Promise<URL> {
    return approve(`${this.issuer}/authorize?${encoded(query)}`, this.service, phone);
  }

  /** Redeems the code of the address. */
  redeem(back: URL, form: Form = {}, headers: Headers = { authorization: this.shop.authorization }): Promise<Answer> {
    const code = secret('authorization code', back.searchParams.get('code') ?? '');
    return this.post('token', { grant_type: 'authorization_code', code, redirect_uri: this.shop.redirectUri, ...form }, headers);
  }

  /** The ID token of the answer, verified by the published keys. */
  async idToken({ json }: Answer): Promise<JWTVerifyResult> {
    const keys = createLocalJWKSet((await this.get('jwks')).json as unknown as JSONWebKeySet);
    return jwtVerify(String(json?.['id_token']), keys, { issuer: this.issuer, audience: this.shop.clientId });
  }

  #send(request: Parameters<typeof exchange>[1]): Promise<Answer> {
    return exchange(this.service.baseUrls[0]!, request);
  }
}
