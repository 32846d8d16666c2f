import type { ServerResponse } from 'node:http';

import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';

import { ServiceUnavailable } from '#kernel';

import { answerTimeStamp } from '../development/answer-time-stamp.js';
import { type DevelopmentKit, developmentKit } from '#testkit/pki/development-kit';
import { type Peer, type PeerAnswer, startPeer } from '#testkit/pki/peer';
import { timestampAuthorityContract } from '#testkit/pki/time-stamp/timestamp-authority.contract';
import { HttpTimestampAuthority, type TimestampServer } from './http-timestamp-authority.js';

const REPLY = 'application/timestamp-reply';
const data = Buffer.from('signature');

let kit: DevelopmentKit;
beforeAll(async () => {
  kit = await developmentKit();
});

const answer = (body: Buffer): Buffer => answerTimeStamp(body, { unit: kit.pki.timestamping, now: kit.clock.now(), randomness: kit.randomness });
const good = (body: Buffer): PeerAnswer => ({ type: REPLY, body: answer(body) });
const pause = jest.fn(() => Promise.resolve());
const asking = (of: DevelopmentKit, servers: readonly TimestampServer[], timeout = 5000): HttpTimestampAuthority =>
  new HttpTimestampAuthority({ servers, trust: of.trust, issuers: [], timeout, clock: of.clock, randomness: of.randomness, pause });

describe('HttpTimestampAuthority over a unit of ours', () => {
  let peer: Peer;
  beforeAll(async () => {
    peer = await startPeer(good);
  });
  afterAll(async () => {
    await peer[Symbol.asyncDispose]();
  });
  timestampAuthorityContract(() => ({ authority: asking(kit, [peer]), kit, tolerance: 0 }));
});

describe('a time-stamping authority', () => {
  const refusal = async (peerAnswer: (body: Buffer) => PeerAnswer, timeout?: number): Promise<{ reason: string; asked: number }> => {
    await using peer = await startPeer(peerAnswer);
    const error: unknown = await asking(kit, [peer], timeout)
      .stamp(data)
      .then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
    expect(error).toBeInstanceOf(ServiceUnavailable);
    return { reason: (error as ServiceUnavailable).reason, asked: peer.asked() };
  };

  it.each([
    ['403, for a client that is not registered', { type: REPLY, body: Buffer.alloc(0), status: 403 }, /HTTP status 403/, 1],
    ['a redirect', { type: REPLY, body: Buffer.alloc(0), status: 302 }, /HTTP status 302/, 1],
    ['503', { type: REPLY, body: Buffer.alloc(0), status: 503 }, /HTTP status 503/, 2],
    ['503 and a time to wait', (response: ServerResponse): void => void response.writeHead(503, { 'retry-after': '60' }).end(), /HTTP status 503/, 1],
    ['429 and no time to wait', (response: ServerResponse): void => void response.writeHead(429, { 'retry-after': '0' }).end(), /HTTP status 429/, 2],
    ['HTML with 200', { type: 'text/html', body: Buffer.from('<h1>Maintenance</h1>') }, /content type "text\/html"/, 1],
    ['10 MB', { type: REPLY, body: Buffer.alloc(10_000_000) }, /more than 65536 bytes/, 1],
    ['something else than a response', { type: REPLY, body: Buffer.from('0500', 'hex') }, /malformed/, 1],
  ] as const)('with the answer %s is refused', async (_, given, reason, asked) => {
    const refused = await refusal(() => given);
    expect(refused.reason).toMatch(reason);
    expect(refused.asked).toBe(asked);
  });

  it('that begins an answer and never ends it is given up after the time-out', async () => {
    const { reason } = await refusal(() => (response) => void response.writeHead(200, { 'content-type': REPLY }).write('0'), 100);
    expect(reason).toMatch(/no answer within 100 ms/);
  });

  it('that never answers is given up after the time-out', async () => {
    const { reason, asked } = await refusal(() => () => undefined, 100);
    expect(reason).toMatch(/no answer within 100 ms; no answer within 100 ms/);
    expect(asked).toBe(2);
  });

  it('that breaks the connection is asked once more, after a pause', async () => {
    pause.mockClear();
    let first = true;
    await using peer = await startPeer((body) => {
      if (!first) return good(body);
      first = false;
      return (response) => void response.destroy();
    });
    await asking(kit, [peer]).stamp(data);
    expect(pause).toHaveBeenCalledTimes(1);
  });

  it('that does not answer is followed by the next on the list', async () => {
    await using wrong = await startPeer(() => ({ type: 'text/html', body: Buffer.alloc(0) }));
    await using right = await startPeer(good);
    const dead = { url: 'http://127.0.0.1:1/' };
    await asking(kit, [dead, wrong, right]).stamp(data);
    expect([wrong.asked(), right.asked()]).toEqual([1, 1]);
  });

  it('gets the credentials of the client', async () => {
    let authorization: string | undefined;
    await using peer = await startPeer((body, request) => {
      authorization = request.headers.authorization;
      return good(body);
    });
    await asking(kit, [{ url: peer.url, credentials: { authorization: 'Basic YTpi' } }]).stamp(data);
    expect(authorization).toBe('Basic YTpi');
  });

  it('must exist', async () => {
    await expect(asking(kit, []).stamp(data)).rejects.toThrow('none is configured');
  });
});
