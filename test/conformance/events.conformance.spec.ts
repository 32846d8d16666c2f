import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { verifyWebhook } from '#clients/relying-party';
import { EventReader, getOver } from '#testkit/http/event-reader';
import { proveEndpoint } from '#testkit/webhook/prove-endpoint';

import {
  expectOk,
  issuerOf,
  ListeningProgram,
  type Phone,
  type ReceivedWebhook,
  RelyingParty,
  runDirectory,
  type Service,
  SigningClient,
  sharedService,
  Staff,
  startsOwn,
  WebhookReceiver,
} from '../support/index.js';

/** The receivers are on loopback, which a target elsewhere does not reach. */
(startsOwn ? describe : describe.skip)('GET events', () => {
  const endpoint = new WebhookReceiver();
  const local = new WebhookReceiver();
  let service: Service;
  let shop: RelyingParty;
  let other: RelyingParty;
  let phone: Phone;
  let program: ListeningProgram;

  beforeAll(async () => {
    service = await sharedService();
    const staff = new Staff(service);
    [shop, other] = [await RelyingParty.register(service), await RelyingParty.register(service)];
    phone = await staff.newPhone();
    await endpoint.listen();
    await local.listen();
    const endpoints = `/clients/${shop.clientId}/webhook-endpoints`;
    const { endpointId, secret } = await staff.ask('POST', endpoints, { url: endpoint.url });
    await proveEndpoint({
      receiver: endpoint.proof,
      secret: secret as string,
      ping: () => staff.ask('POST', `${endpoints}/${endpointId as string}/ping`),
      shown: async () => ((await staff.ask('GET', endpoints))['webhookEndpoints'] as Record<string, unknown>[])[0]!,
    });
    program = await ListeningProgram.start({ args: ['listen', '--forward-to', `${local.url}hooks`], url: service.baseUrls[0]!, ...shop });
  });

  afterAll(async () => {
    await program?.stop();
    endpoint.close();
    local.close();
  });

  /** The messages about sessions, in order of session and sequence. */
  const about = (receiver: WebhookReceiver, sessionIds: readonly string[]): readonly ReceivedWebhook[] =>
    sessionIds.flatMap((id) => receiver.of(id).toSorted((a, b) => (a.data['sequence'] as number) - (b.data['sequence'] as number)));

  it('brings the program each message that the endpoint of the client gets, byte for byte, and none of another client', async () => {
    const [completed, cancelled, foreign] = [await shop.completed(phone), await shop.login(), await other.login()];
    expectOk(await phone.scan(cancelled.sessionId));
    expectOk(await phone.decline(cancelled.sessionId));
    expectOk(await phone.scan(foreign.sessionId));
    const signing = await SigningClient.of(shop).confirmed(phone);
    const sessions = [completed.sessionId, cancelled.sessionId, signing.sessionId];
    for (const receiver of [endpoint, local]) {
      await receiver.until(completed.sessionId, 'session.completed');
      await receiver.until(cancelled.sessionId, 'session.cancelled');
      await receiver.until(signing.sessionId, 'session.completed');
    }
    const [heard, sent] = [about(local, sessions), about(endpoint, sessions)];
    expect(heard.map(({ text }) => text)).toEqual(sent.map(({ text }) => text));
    expect(heard.map(({ type }) => type)).toEqual([
      ...['session.scanned', 'session.confirmed', 'session.completed'],
      ...['session.scanned', 'session.cancelled'],
      ...['session.scanned', 'session.completed'],
    ]);
    for (const { headers, text } of heard) expect(verifyWebhook({ headers, body: text, secrets: [program.secret] }).type).toMatch(/^session\./);
    expect(local.of(foreign.sessionId)).toEqual([]);
    expect(await program.events(7)).toHaveLength(7);
    expect((await program.events(7)).every((line) => /^\S+ {2}session\.\w+ {2}[\da-f-]{36} {2}204$/.test(line))).toBe(true);
  });

  it('shows the sessions of the client as they change, and no secret in the list of processes', async () => {
    const tail = await ListeningProgram.start({ args: ['sessions', 'tail'], url: service.baseUrls[0]!, ...shop });
    const { sessionId } = await shop.completed(phone);
    const shown = (await tail.events(4)).map((line) => line.split('  ').slice(1));
    expect(shown).toEqual(['PENDING', 'SCANNED', 'CONFIRMED', 'COMPLETED'].map((status) => [sessionId, 'AUTHENTICATION', status]));
    if (process.platform === 'linux') expect(readFileSync(`/proc/${tail.pid}/cmdline`, 'utf8')).not.toContain(shop.clientSecret);
    expect(await tail.stop()).toBe(0);
  });

  it('goes on at another replica where it was', async () => {
    const eventsAt = async (url: string, cursor?: string): Promise<EventReader> =>
      new EventReader(
        await getOver(`${url}/relying-party/v1/events?types=session.created,session.cancelled`, {
          authorization: shop.authorization,
          ...(cursor !== undefined && { 'last-event-id': cursor }),
        }),
      );
    const first = await eventsAt(service.baseUrls[0]!);
    expect(await first.next()).toMatchObject({ event: 'listening' });
    await shop.login();
    expect(await first.next()).toMatchObject({ event: 'session.created' });
    first.close();
    const missed = await shop.login();
    expect((await shop.cancel(missed)).status).toBe(204);
    const again = await eventsAt(service.baseUrls.at(-1)!, first.lastId);
    const [created, cancelled, listening] = await again.take(3);
    expect([created?.event, cancelled?.event, listening]).toEqual([
      'session.created',
      'session.cancelled',
      expect.objectContaining({ data: { resumed: true } }),
    ]);
    expect((cancelled?.data as { body: string }).body).toContain(missed.sessionId);
    again.close();
  });

  it.each([
    ['on P-256', () => generateKeyPairSync('ec', { namedCurve: 'P-256' }), 'ES256'],
    ['of RSA', () => generateKeyPairSync('rsa', { modulusLength: 2048 }), 'RS256'],
  ])('takes a key %s in place of the secret', async (_, make, alg) => {
    const { privateKey, publicKey } = make();
    const keyFile = join(runDirectory(), `program-${alg}.pem`);
    writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const keyed = await RelyingParty.register(service, {
      jwks: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'program', alg, use: 'sig' }] },
    });
    const url = (await issuerOf(service)).replace(/\/openid$/, '');
    const args = ['sessions', 'tail', '--key-file', keyFile, '--key-id', 'program'];
    const tail = await ListeningProgram.start({ args, url, clientId: keyed.clientId, clientSecret: '' });
    const { sessionId } = await keyed.login();
    expect((await tail.events(1)).map((line) => line.split('  ').slice(1))).toEqual([[sessionId, 'AUTHENTICATION', 'PENDING']]);
    expect(await tail.stop()).toBe(0);
  });

  it('ends for a secret that was rotated, and the program says why', async () => {
    const closing = await RelyingParty.register(service);
    const tail = await ListeningProgram.start({ args: ['sessions', 'tail'], url: service.baseUrls[0]!, ...closing });
    const staff = new Staff(service);
    const { clientSecret } = await staff.ask('POST', `/clients/${closing.clientId}/secret`);
    closing.clientSecret = clientSecret as string;
    await closing.login();
    expect([await tail.ended(), tail.lines, tail.notes.at(-1)]).toEqual([1, [], expect.stringContaining('the service refuses the credentials')]);
  });
});
