import { createHash, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { Phone } from '#clients/software-phone';
import { ProvingReceiver } from '#testkit/webhook/proving-receiver';

const PIN = '2468';
const REDIRECT_URI = 'https://library.example/callback';

/** A relying party with a webhook endpoint, and a person with a phone, at a service that starts without data. */
export class SampleTraffic {
  readonly #baseUrl: string;
  readonly #credential: string;
  readonly #phone: Phone;
  readonly #receiver: Server;

  private constructor(baseUrl: string, credential: string, phone: Phone, receiver: Server) {
    this.#baseUrl = baseUrl;
    this.#credential = credential;
    this.#phone = phone;
    this.#receiver = receiver;
  }

  /** `number`, one digit: tells this client and this person from others at the same service. */
  static async begin(baseUrl: string, adminToken: string, number: number): Promise<SampleTraffic> {
    const proof = new ProvingReceiver();
    const receiver = createServer((request, response) => {
      void text(request).then((body) => proof.answer(request, body, response) || response.end());
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const admin = (path: string, body?: object) => post(`${baseUrl}/admin/v1${path}`, `Bearer ${adminToken}`, body);
    const registration = { name: `Harbour Library ${number}`, redirect_uris: [REDIRECT_URI], allowed_attributes: [], allowed_predicates: [] };
    const { clientId, clientSecret } = await admin('/clients', registration);
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
    const endpoints = `/clients/${clientId}/webhook-endpoints`;
    const { endpointId = '', secret = '' } = await admin(endpoints, { url, event_types: ['session.completed'] });
    proof.prove(secret);
    await admin(`${endpoints}/${endpointId}/ping`);
    const person = { given_name: 'Ada', family_name: 'Byron', personal_code: `4900517000${number}`, date_of_birth: '1990-05-17', country: 'EE' };
    const { identityId } = await admin('/identities', person);
    const { activationCode = '' } = await admin(`/identities/${identityId}/activation-codes`);
    const phone = await Phone.enrol({ baseUrl, activationCode, name: 'Phone', platform: 'sample', pin: PIN });
    return new SampleTraffic(baseUrl, Buffer.from(`${clientId}:${clientSecret}`).toString('base64'), phone, receiver);
  }

  /** One login, from the session to the token. */
  async login(): Promise<void> {
    const verifier = randomBytes(32).toString('base64url');
    const code_challenge = createHash('sha256').update(verifier).digest('base64url');
    const request = { signature_type: 'AUTHENTICATION', redirect_uri: REDIRECT_URI, state: 'sample', code_challenge, code_challenge_method: 'S256' };
    const { sessionId = '' } = await this.#call('', request);
    await this.#approve(sessionId);
    const { redirect = '' } = await this.#call(`/${sessionId}/completion`);
    await this.#call('/token', { code: new URL(redirect).searchParams.get('code'), code_verifier: verifier });
  }

  /** One signature, whose session the relying party creates in a trace of its own. Answers the id of the trace. */
  async sign(): Promise<string> {
    const traceId = randomBytes(16).toString('hex');
    const traceparent = `00-${traceId}-${randomBytes(8).toString('hex')}-01`;
    const signed_data_hash = createHash('sha512').update('A contract').digest('hex');
    const request = { signature_type: 'SIGNING', signed_data_hash, signed_data_name: 'contract.txt', title: 'Sign the contract' };
    const { sessionId = '' } = await this.#call('', request, { traceparent });
    await this.#approve(sessionId);
    return traceId;
  }

  end(): void {
    this.#receiver.closeAllConnections();
    this.#receiver.close();
  }

  async #approve(sessionId: string): Promise<void> {
    const scanned = await this.#phone.scan(sessionId);
    if (!scanned.ok) throw new Error(`the scan was answered ${scanned.status}`);
    const confirmed = await this.#phone.confirm(PIN);
    if (!confirmed.ok) throw new Error(`the confirmation was answered ${confirmed.status}`);
  }

  #call(path: string, body?: object, headers?: Readonly<Record<string, string>>): Promise<Record<string, string>> {
    return post(`${this.#baseUrl}/relying-party/v1/session${path}`, `Basic ${this.#credential}`, body, headers);
  }
}

const post = async (
  url: string,
  authorization: string,
  body: object = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Record<string, string>> => {
  const request = { method: 'POST', headers: { authorization, 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
  const answer = await fetch(url, request);
  if (!answer.ok) throw new Error(`${new URL(url).pathname}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Record<string, string>;
};
