import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';

import { receiveWebhook, verifyWebhook, type WebhookEvent, WebhookRefused, type WebhookRequest } from './index.js';

/** The vector that Standard Webhooks 1.0 publishes. */
const PUBLISHED = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  headers: {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
  body: '{"test": 2432232314}',
};
const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;
const NOW = Date.UTC(2026, 0, 1);
const BODY =
  '{"type":"session.confirmed","timestamp":"2026-01-01T00:00:00.000Z","data":{"sessionId":"0b9f2c1e","status":"CONFIRMED","signatureType":"AUTHENTICATION","sequence":3}}';

const signed = (body = BODY, { secret = SECRET, at = NOW / 1000, id = 'm1' } = {}): WebhookRequest => {
  const signature = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update(`${id}.${at}.${body}`)
    .digest('base64');
  return {
    headers: { 'webhook-id': id, 'webhook-timestamp': String(at), 'webhook-signature': `v1,${signature}` },
    body,
    secrets: [SECRET],
    now: NOW,
  };
};
const reasonFor = (request: WebhookRequest): string => {
  try {
    verifyWebhook(request);
    return 'accepted';
  } catch (error) {
    return error instanceof WebhookRefused ? error.reason : String(error);
  }
};

describe('a webhook', () => {
  it('is verified by its signature over the received bytes', () => {
    const event = { id: 'm1', ...(JSON.parse(BODY) as object) };
    expect(verifyWebhook(signed())).toEqual(event);
    expect(verifyWebhook({ ...signed(), body: Buffer.from(BODY) })).toEqual(event);
    expect(reasonFor({ ...signed(), body: BODY.replace('3}', '4}') })).toBe('SIGNATURE_DIFFERENT');
    expect(reasonFor({ ...signed(), body: `${BODY} ` })).toBe('SIGNATURE_DIFFERENT');
  });

  it('has the signature of the published vector', () => {
    const { secret, headers, body } = PUBLISHED;
    // The vector signs no event of ours, which is noticed only after its signature was verified.
    expect(reasonFor({ headers, body, secrets: [secret], now: 1_614_265_330_000 })).toBe('BODY_UNREADABLE');
    expect(reasonFor({ headers, body, secrets: [SECRET], now: 1_614_265_330_000 })).toBe('SIGNATURE_DIFFERENT');
  });

  it('may be signed with one of several secrets, and carry several signatures', () => {
    const request = signed(BODY, { secret: OTHER });
    expect(reasonFor(request)).toBe('SIGNATURE_DIFFERENT');
    expect(reasonFor({ ...request, secrets: [SECRET, OTHER] })).toBe('accepted');
    const both = `v1a,AAAA v1,AAAA ${String(request.headers['webhook-signature'])}`;
    expect(reasonFor({ ...request, headers: { ...request.headers, 'webhook-signature': both }, secrets: [OTHER] })).toBe('accepted');
  });

  it.each(['', 'v1', 'v1,', 'v2,', ',', 'v1,!!!!', 'v1a,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='])(
    'is refused with the signature %j',
    (signature) => {
      expect(reasonFor({ ...signed(), headers: { ...signed().headers, 'webhook-signature': signature } })).toBe('SIGNATURE_DIFFERENT');
    },
  );

  it('is accepted within five minutes before and after its time', () => {
    for (const at of [NOW / 1000 - 300, NOW / 1000 + 300]) expect(reasonFor(signed(BODY, { at }))).toBe('accepted');
    for (const at of [NOW / 1000 - 301, NOW / 1000 + 301]) expect(reasonFor(signed(BODY, { at }))).toBe('TIMESTAMP_TOO_FAR');
    for (const at of ['', 'now', '1e9', '-1', '0x1'])
      expect(reasonFor({ ...signed(), headers: { ...signed().headers, 'webhook-timestamp': at } })).toBe('TIMESTAMP_TOO_FAR');
  });

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('without %s is refused', (name) => {
    expect(reasonFor({ ...signed(), headers: { ...signed().headers, [name]: undefined } })).toBe('HEADER_MISSING');
    expect(reasonFor({ ...signed(), headers: { ...signed().headers, [name]: ['a', 'b'] } })).toBe('HEADER_MISSING');
  });

  it.each(['', 'null', '[]', '{', '{"type":1}', '{"type":"a","timestamp":"b","data":null}'])(
    'with the body %j is refused even with a valid signature',
    (body) => {
      expect(reasonFor(signed(body))).toBe('BODY_UNREADABLE');
    },
  );
});

it.each([[], [''], ['whsec_'], ['whsec_c2hvcnQ='], [Buffer.alloc(32).toString('base64')]])(
  'malformed secrets are a mistake of the program: %j',
  (...secrets) => {
    expect(() => verifyWebhook({ ...signed(), secrets })).toThrow(TypeError);
  },
);

describe('a server that answers by receiveWebhook', () => {
  const PING = '{"type":"endpoint.ping","timestamp":"2026-01-01T00:00:00.000Z","data":{"endpointId":"e1"}}';
  const received: WebhookEvent[] = [];
  const answer = (request: WebhookRequest): Promise<204 | 400> => receiveWebhook(request, (event) => void received.push(event));

  it('takes what is from the service with 204, and refuses all else with 400', async () => {
    expect([await answer(signed()), await answer(signed(BODY, { secret: OTHER })), await answer({ ...signed(), headers: {} })]).toEqual([
      204, 400, 400,
    ]);
    expect(received.map(({ id, type }) => `${id} ${type}`)).toEqual(['m1 session.confirmed']);
  });

  it('proves itself: right pings 204, wrong ones 400, and none is an event', async () => {
    received.length = 0;
    const proof = [SECRET, OTHER, OTHER, SECRET, OTHER, SECRET].map((secret) => answer(signed(PING, { secret })));
    expect(await Promise.all(proof)).toEqual([204, 400, 400, 204, 400, 204]);
    expect(received).toEqual([]);
  });

  it('passes on what its own work throws, so that the message is sent again', async () => {
    await expect(receiveWebhook(signed(), () => Promise.reject(new Error('the database is away')))).rejects.toThrow('the database is away');
  });
});
