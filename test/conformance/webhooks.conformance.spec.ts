import { createHmac } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { eventually } from '#testkit/kernel/eventually';
import { proveEndpoint } from '#testkit/webhook/prove-endpoint';

import {
  expectOk,
  SigningClient,
  type Phone,
  RelyingParty,
  type Service,
  sharedService,
  Staff,
  startsOwn,
  WebhookReceiver,
} from '../support/index.js';

/** The receiver is on loopback, which a target elsewhere does not reach. */
(startsOwn ? describe : describe.skip)('the events of a session', () => {
  const receiver = new WebhookReceiver();
  let service: Service;
  let staff: Staff;
  let shop: RelyingParty;
  let phone: Phone;
  let endpoints: string;
  let endpointId: string;
  let webhookSecret: string;

  beforeAll(async () => {
    service = await sharedService();
    staff = new Staff(service);
    shop = await RelyingParty.register(service);
    phone = await staff.newPhone();
    await receiver.listen();
    endpoints = `/clients/${shop.clientId}/webhook-endpoints`;
    const added = await staff.ask('POST', endpoints, { url: receiver.url });
    [endpointId, webhookSecret] = [added['endpointId'] as string, added['secret'] as string];
    expect(added).toMatchObject({ state: 'unconfirmed', unconfirmedBecause: 'NOT_TRIED' });
    await proveEndpoint({
      receiver: receiver.proof,
      secret: webhookSecret,
      ping: () => staff.ask('POST', `${endpoints}/${endpointId}/ping`),
      shown: async () => ((await staff.ask('GET', endpoints))['webhookEndpoints'] as Record<string, unknown>[])[0]!,
    });
  });

  afterAll(() => receiver.close());

  it('are posted to the server of the client, in the order of the statuses that polling shows', async () => {
    const login = await shop.completed(phone);
    const messages = await receiver.until(login.sessionId, 'session.completed');
    expect(messages.map(({ type, data }) => [type, data['status']])).toEqual([
      ['session.scanned', 'SCANNED'],
      ['session.confirmed', 'CONFIRMED'],
      ['session.completed', 'COMPLETED'],
    ]);
    const sequences = messages.map(({ data }) => data['sequence'] as number);
    expect(sequences).toEqual([...sequences].sort((a, b) => a - b));
    expect(new Set(sequences).size).toBe(3);
  });

  it('leave the polling calls as they are', async () => {
    const login = await shop.scanned(phone);
    await receiver.until(login.sessionId, 'session.scanned');
    expect(expectOk(await shop.status(login))).toEqual({ status: 'SCANNED', expiresAt: login.expiresAt });
  });

  it('tell that a session was cancelled', async () => {
    const login = await shop.scanned(phone);
    expectOk(await phone.decline(login.sessionId));
    const messages = await receiver.until(login.sessionId, 'session.cancelled');
    expect(messages.at(-1)!.data).toEqual({
      sessionId: login.sessionId,
      status: 'CANCELLED',
      signatureType: 'AUTHENTICATION',
      sequence: expect.any(Number),
    });
  });

  it('of a signing session are scanned and completed, never confirmed', async () => {
    const signing = await SigningClient.of(shop).completed(phone);
    const messages = await receiver.until(signing.sessionId, 'session.completed');
    expect(messages.map(({ type, data }) => [type, data['signatureType']])).toEqual([
      ['session.scanned', 'SIGNING'],
      ['session.completed', 'SIGNING'],
    ]);
  });

  it('carry headers and a signature of Standard Webhooks 1.0', async () => {
    const login = await shop.scanned(phone);
    const [message] = await receiver.until(login.sessionId, 'session.scanned');
    const { headers, text } = message!;
    const key = Buffer.from(webhookSecret.replace('whsec_', ''), 'base64');
    const signed = `${headers['webhook-id'] as string}.${headers['webhook-timestamp'] as string}.${text}`;
    expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
    expect(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(60);
    expect(message!.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
  });

  it('carry no code, redirect, token, subjectId, title or name', async () => {
    const title = 'A title that stays inside';
    const login = await shop.completed(phone, { title });
    const answer = expectOk(await shop.token(login.code, login.verifier));
    const texts = (await receiver.until(login.sessionId, 'session.completed')).map(({ text }) => text).join('\n');
    for (const value of [login.code, login.state, shop.redirectUri, answer['subjectId'] as string, title, shop.name])
      expect(texts).not.toContain(value);
    expect(
      Object.keys(JSON.parse(texts.split('\n')[0]!)['data'] as object)
        .sort()
        .join(),
    ).toBe('sequence,sessionId,signatureType,status');
  });

  it('are joined by endpoint.ping when staff ask for it, and by nothing else', async () => {
    // The proof of the endpoint may have been asked for within the same ten seconds.
    await eventually(async () => (await staff.call('POST', `${endpoints}/${endpointId}/ping`)).status === 202);
    expect((await receiver.ping()).data).toEqual({ endpointId });
    const types = new Set(receiver.messages.map(({ type }) => type));
    const known = ['session.scanned', 'session.confirmed', 'session.completed', 'session.cancelled', 'session.expired', 'endpoint.ping'];
    expect([...types].filter((type) => !known.includes(type))).toEqual([]);
  });
});
