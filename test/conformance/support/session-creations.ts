import { beforeAll } from '@jest/globals';

import { type Phone, RelyingParty, type Service, sharedService, Staff } from '../../support/index.js';

export const PATH = '/relying-party/v1/session';

export let service: Service;
export let shop: RelyingParty;
export let phone: Phone;
export let subject: string;

/** The tests of the file share a client and a person with a phone. */
export const useShop = (): void => {
  beforeAll(async () => {
    service = await sharedService();
    shop = await RelyingParty.register(service, { allowed_attributes: ['name'] });
    phone = await new Staff(service).newPhone();
    subject = await shop.subjectOf(phone);
  });
};

export const raw = (body: string | Buffer, headers: Record<string, string> = {}) =>
  service.send({ method: 'POST', path: PATH, raw: body, headers: { authorization: shop.authorization, ...headers } });

/** POST session with a valid body for SIGNING, changed. */
export const sign = (changes: Record<string, unknown> = {}) =>
  shop.call('POST', PATH, { signature_type: 'SIGNING', signed_data_hash: 'a1'.repeat(64), ...changes });

export const properties = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
