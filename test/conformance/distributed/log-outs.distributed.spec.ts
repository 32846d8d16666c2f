import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';

import { eventually } from '#testkit/kernel/eventually';

import { Phone, RelyingParty, sharedService, Staff } from '../../support/index.js';
import { Replicas } from './replicas.js';

/** How long a token may be under way: through the bus, the dispatcher and its lanes. Milliseconds. */
const ARRIVES_WITHIN = 60_000;

let relyingParty: Server;
/** The `sub` of each logout token, as it arrives. */
let told: unknown[];
let replicas: Replicas;
let shop: RelyingParty;
let staff: Staff;
beforeAll(async () => {
  told = [];
  relyingParty = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      told.push(decodeJwt(new URLSearchParams(text).get('logout_token') ?? '').sub);
      response.writeHead(204).end();
    });
  }).listen(0, '127.0.0.1');
  await once(relyingParty, 'listening');
  const service = await sharedService();
  replicas = Replicas.ofTheRun();
  staff = new Staff(service);
  const address = `http://127.0.0.1:${(relyingParty.address() as AddressInfo).port}/logout`;
  shop = await RelyingParty.register(service, { backchannel_logout_uri: address });
});
afterAll(() => {
  relyingParty.close();
});

describe('forty calls at once on two replicas', () => {
  it('log a person out at a relying party once, and once more after another person', async () => {
    const person = await staff.registerPerson();
    const phones = await Promise.all([0, 1].map(async () => new Phone(replicas).enrol(await staff.activationCode(person))));
    const [first, second] = phones as [Phone, Phone];
    const other = await staff.newPhone();
    const [sub, ofOther] = [await shop.subjectOf(first), await shop.subjectOf(other)];

    const path = `/app/v1/clients/${shop.clientId}/logout`;
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, number) => {
        replicas.number = number % 2;
        return (number % 4 < 2 ? first : second).call('POST', path);
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 204));
    await eventually(() => told.length > 0, { what: 'the logout token arrives', within: ARRIVES_WITHIN });
    // The tokens to one client come in the order in which they were asked for, so a second one would be here before that of the other person.
    expect((await other.call('POST', path)).status).toBe(204);
    await eventually(() => told.includes(ofOther), { what: 'the logout token of the other person arrives', within: ARRIVES_WITHIN });
    expect(told).toEqual([sub, ofOther]);
  });
});
