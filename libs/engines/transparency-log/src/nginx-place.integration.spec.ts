import { TestCa } from '#testkit/engine-access/test-ca';
import { anchorPlaceContract } from '#testkit/transparency-log/anchor-place.contract';
import { NginxCheckpoints } from '#testkit/transparency-log/nginx-checkpoints';

import { PlaceUnavailable } from './anchor-place.js';

describe('nginx as docs/operator.md sets it up for checkpoints', () => {
  let ca: TestCa;
  let server: NginxCheckpoints;
  beforeAll(async () => {
    ca = await TestCa.make();
  });
  afterAll(() => ca[Symbol.asyncDispose]());
  beforeEach(async () => {
    server = await NginxCheckpoints.start(ca);
  });
  afterEach(() => server[Symbol.asyncDispose]());

  anchorPlaceContract(() => ({ place: server.place(), away: () => server.close(), back: () => server.open() }));

  it('neither shows nor takes anything with another token', async () => {
    await server.place().write('checkpoint', Buffer.from('kept'));
    const stranger = server.place('hunter2');
    await expect(stranger.read('checkpoint')).rejects.toThrow(PlaceUnavailable);
    await expect(stranger.write('checkpoint', Buffer.from('forged'))).rejects.toThrow(PlaceUnavailable);
    await stranger.remove('checkpoint');
    expect((await server.place().read('checkpoint'))?.toString()).toBe('kept');
  });
});
