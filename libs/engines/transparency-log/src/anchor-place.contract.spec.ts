import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { TestCa } from '#testkit/engine-access/test-ca';
import { anchorPlaceContract } from '#testkit/transparency-log/anchor-place.contract';
import { CheckpointServer } from '#testkit/transparency-log/checkpoint-server';

import { PlaceUnavailable } from './anchor-place.js';
import { FolderPlace } from './folder-place.js';
import type { HttpsPlace } from './https-place.js';

describe('a folder', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'anchor-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  anchorPlaceContract(() => ({
    place: new FolderPlace('ANCHOR_DIR', directory),
    away: () => rename(directory, `${directory}.away`),
    back: () => rename(`${directory}.away`, directory),
  }));
});

describe('a server', () => {
  let ca: TestCa;
  let server: CheckpointServer;
  let place: HttpsPlace;
  beforeAll(async () => {
    ca = await TestCa.make();
  });
  afterAll(() => ca[Symbol.asyncDispose]());
  beforeEach(async () => {
    server = await CheckpointServer.start(ca);
    place = server.place();
  });
  afterEach(() => server[Symbol.asyncDispose]());

  anchorPlaceContract(() => ({ place, away: () => server.close(), back: () => server.open() }));

  const refusal = async (work: Promise<unknown>): Promise<string> => {
    const error: unknown = await work.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(PlaceUnavailable);
    return (error as PlaceUnavailable).reason;
  };

  it.each([301, 302, 307, 308])('leads neither the token nor the leaves elsewhere by a redirect: %i', async (status) => {
    await using other = await CheckpointServer.start(ca);
    server.intercept = (_, response) => void response.writeHead(status, { location: `${other.url}/checkpoint` }).end();
    expect(await refusal(place.read('checkpoint'))).toBe(`ANCHOR_URL: HTTP status ${status}`);
    expect(await refusal(place.write('checkpoint', Buffer.from('leaves')))).toBe(`ANCHOR_URL: HTTP status ${status}`);
    expect(other.asked).toEqual([]);
  });

  it.each([400, 403, 405, 429, 500, 503])('is unavailable, and not without checkpoints, where it answers %i', async (status) => {
    server.intercept = (_, response) => void response.writeHead(status).end();
    expect(await refusal(place.read('checkpoint'))).toBe(`ANCHOR_URL: HTTP status ${status}`);
    expect(await refusal(place.write('checkpoint', Buffer.from('leaves')))).toBe(`ANCHOR_URL: HTTP status ${status}`);
    await place.remove('checkpoint');
  });

  it('is unavailable to another token, which no message names', async () => {
    const stranger = server.place({ token: 'hunter2' });
    expect(await refusal(stranger.read('checkpoint'))).toBe('ANCHOR_URL: HTTP status 401');
    expect(await refusal(stranger.write('checkpoint', Buffer.from('forged')))).toBe('ANCHOR_URL: HTTP status 401');
    expect(server.files.size).toBe(0);
  });

  it('is read up to a mebibyte, and not without end', async () => {
    const sent: number[] = [];
    server.intercept = (_, response) => {
      const chunk = Buffer.alloc(65_536);
      const more = (): void => {
        if (response.destroyed) return;
        sent.push(chunk.length);
        response.write(chunk, more);
      };
      more();
    };
    expect(await refusal(place.read('checkpoint'))).toBe('ANCHOR_URL: an answer of more than 1048576 bytes');
    expect(sent.length).toBeLessThan(1_000);
  });

  it.each([
    ['answer', () => undefined],
    ['end', (_: unknown, response: { write: (text: string) => void }) => response.write('a part')],
  ] as const)('is not waited for without end where it does not %s', async (_, intercept) => {
    server.intercept = intercept;
    expect(await refusal(server.place({ timeout: 100 }).read('checkpoint'))).toBe('ANCHOR_URL: no answer within 100 ms');
  });

  it('shows nothing of a file whose answer is cut', async () => {
    server.intercept = (_, response) => {
      response.writeHead(200, { 'content-length': 1_000 }).write('a part', () => response.destroy());
    };
    expect(await refusal(place.read('checkpoint'))).toMatch(/^ANCHOR_URL: \w+/);
  });

  it('is not believed with a certificate of another CA, or one that has expired', async () => {
    await using foreign = await TestCa.make();
    await using impostor = await CheckpointServer.start(ca, await foreign.issue('checkpoints'));
    expect(await refusal(impostor.place().read('checkpoint'))).toMatch(/^ANCHOR_URL: \w*(VERIFY|SIGNATURE)\w*$/);
    await using expired = await CheckpointServer.start(ca, await ca.issue('expired', { expired: true }));
    expect(await refusal(expired.place().write('checkpoint', Buffer.from('leaves')))).toBe('ANCHOR_URL: CERT_HAS_EXPIRED');
    expect([...impostor.asked, ...expired.asked]).toEqual([]);
  });

  it('is asked again where it has closed a connection that was open', async () => {
    await place.write('checkpoint', Buffer.from('kept'));
    const answered = server.intercept;
    let closed = 0;
    server.intercept = (request) => {
      closed += 1;
      server.intercept = answered;
      request.socket.destroy();
    };
    expect((await place.read('checkpoint'))?.toString()).toBe('kept');
    expect(closed).toBe(1);
  });
});
