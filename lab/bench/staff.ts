import { randomBytes } from 'node:crypto';

import { Phone } from '#clients/software-phone';

import { JsonClient } from './json-client.js';
import { leanFetch } from './lean-fetch.js';
import { RelyingParty } from './relying-party.js';
import type { Measured } from './server.js';

export const PIN = '2468';
const REDIRECT_URI = 'https://bench.example/callback';

/** Registers the clients and persons that the benchmark needs, over `/admin/v1`. */
export class Staff {
  readonly #admin: JsonClient;

  constructor(
    private readonly server: Measured,
    adminToken: string,
  ) {
    this.#admin = new JsonClient(server.url, { authorization: `Bearer ${adminToken}` });
  }

  async newRelyingParty(name = 'Benchmark'): Promise<RelyingParty> {
    const { clientId, clientSecret } = await this.#admin.post<{ clientId: string; clientSecret: string }>('/admin/v1/clients', {
      name,
      redirect_uris: [REDIRECT_URI],
      allowed_attributes: [],
      allowed_predicates: [],
    });
    return new RelyingParty(this.server, clientId, clientSecret, REDIRECT_URI);
  }

  /** A client of its own with an endpoint for all events. */
  async newEndpoint(): Promise<void> {
    const { clientId } = await this.#admin.post<{ clientId: string }>('/admin/v1/clients', {
      name: `Benchmark ${randomBytes(6).toString('hex')}`,
      redirect_uris: [REDIRECT_URI],
      allowed_attributes: [],
      allowed_predicates: [],
    });
    await this.#admin.post(`/admin/v1/clients/${clientId}/webhook-endpoints`, { url: 'https://bench.example/webhooks' });
  }

  async newPhone(): Promise<Phone> {
    const { identityId } = await this.#admin.post<{ identityId: string }>('/admin/v1/identities', {
      given_name: 'Bench',
      family_name: 'Mark',
      personal_code: `BENCH-${randomBytes(6).toString('hex')}`,
      date_of_birth: '1990-01-01',
      country: 'EE',
    });
    const { activationCode } = await this.#admin.post<{ activationCode: string }>(`/admin/v1/identities/${identityId}/activation-codes`);
    return Phone.enrol({ baseUrl: this.server.url, activationCode, name: 'Bench', platform: 'Bench', pin: PIN }, { fetch: leanFetch });
  }
}
