import { generateKeyPairSync, randomUUID } from 'node:crypto';

import { SignJWT } from 'jose';

import { DpopKey } from '#testkit/openid/dpop-key';

import { type Answer, newPkce, type Phone, type Service } from '../../support/index.js';
import { type Form, OpenIdParty } from './openid-party.js';

const now = (): number => Math.floor(Date.now() / 1_000);

/** A client as the plans of FAPI 2.0 register it: with keys, in place of the secret, and tokens that are bound to another key of its own. */
export class FapiParty {
  readonly pkce = newPkce();

  private constructor(
    readonly party: OpenIdParty,
    private readonly keys: Readonly<Record<'ES256' | 'RSA', ReturnType<typeof newKeys>>>,
    readonly dpop: DpopKey,
  ) {}

  static async register(service: Service, terms: Readonly<Record<string, unknown>> = {}): Promise<FapiParty> {
    const keys = { ES256: newKeys('EC'), RSA: newKeys('RSA') };
    const jwks = { keys: Object.entries(keys).map(([kid, { publicKey }]) => ({ ...publicKey.export({ format: 'jwk' }), kid })) };
    const party = await OpenIdParty.register(service, {
      allowed_attributes: ['name', 'email'],
      jwks,
      token_endpoint_auth_method: 'private_key_jwt',
      dpop_bound_access_tokens: true,
      id_token_signed_response_alg: 'ES256',
      ...terms,
    });
    return new FapiParty(party, keys, new DpopKey());
  }

  get clientId(): string {
    return this.party.shop.clientId;
  }

  /** A JWT by one of the client's keys. */
  sign(claims: object, alg: 'ES256' | 'PS256' | 'RS256' = 'ES256'): Promise<string> {
    const kid = alg === 'ES256' ? 'ES256' : 'RSA';
    return new SignJWT({ ...claims }).setProtectedHeader({ alg, kid }).sign(this.keys[kid].privateKey);
  }

  /** The credentials of a call. */
  async assertion(changes: object = {}, alg: 'ES256' | 'PS256' | 'RS256' = 'ES256'): Promise<Form> {
    const claims = { iss: this.clientId, sub: this.clientId, aud: this.party.issuer, jti: randomUUID(), nbf: now(), iat: now(), exp: now() + 60 };
    return {
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: await this.sign({ ...claims, ...changes }, alg),
    };
  }

  request(changes: Form = {}): Form {
    return this.party.request({ code_challenge: this.pkce.challenge, code_challenge_method: 'S256', ...changes });
  }

  /** Pushes the request. `credentials`: those of the client unless given. */
  async push(form: Form = this.request(), { credentials, dpop }: { readonly credentials?: Form; readonly dpop?: string } = {}): Promise<Answer> {
    return this.party.post('par', { ...form, ...(credentials ?? (await this.assertion())) }, dpop === undefined ? {} : { dpop });
  }

  /** The parameters with which the browser brings the pushed request. */
  async pushed(form: Form = this.request()): Promise<Form> {
    const { status, json, text } = await this.push(form);
    if (status !== 201) throw new Error(`POST par: ${status} ${text}`);
    return { client_id: this.clientId, request_uri: String(json!['request_uri']) };
  }

  async approve(phone: Phone, form: Form = this.request()): Promise<URL> {
    return this.party.approve(await this.pushed(form), phone);
  }

  /** A proof of the key of the tokens. `changes`: of its claims. */
  proof(path: string, { htm = 'POST', accessToken, changes = {}, header = {}, by = this.dpop }: ProofTerms = {}): Promise<string> {
    const terms = { htm, htu: `${this.party.issuer}/${path}`, iat: now(), ...(accessToken !== undefined && { accessToken }) };
    return by.proof(terms, changes, header);
  }

  /** Redeems the code. `form`: other parameters, of which undefined leaves one out. */
  async redeem(back: URL, { form = {}, dpop, credentials }: { form?: Form; dpop?: string | undefined; credentials?: Form } = {}): Promise<Answer> {
    const proof = dpop ?? (await this.proof('token'));
    const sent = { code_verifier: this.pkce.verifier, ...(credentials ?? (await this.assertion())), ...form };
    return this.party.redeem(back, sent, proof === '' ? {} : { dpop: proof });
  }

  async userInfo(accessToken: string, terms: ProofTerms = {}, scheme = 'DPoP'): Promise<Answer> {
    const dpop = await this.proof('userinfo', { htm: 'GET', accessToken, ...terms });
    return this.party.get('userinfo', {}, { authorization: `${scheme} ${accessToken}`, dpop });
  }
}

interface ProofTerms {
  readonly htm?: string;
  readonly accessToken?: string;
  readonly changes?: object;
  readonly header?: object;
  readonly by?: DpopKey;
}

const newKeys = (type: 'EC' | 'RSA') =>
  type === 'EC' ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : generateKeyPairSync('rsa', { modulusLength: 2_048 });
