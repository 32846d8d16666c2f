import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';

import { deviceApiFixture } from './device-api.fixture.js';

let api: Awaited<ReturnType<typeof deviceApiFixture>>;

beforeAll(async () => {
  api = await deviceApiFixture();
});

afterAll(() => api.close());

const valuesOf = async (metric: 'scans' | 'unusualScans') =>
  (await api.platform.metrics[metric].get()).values.map(({ labels, value }) => ({ ...labels, value }));

describe('the scans of a service', () => {
  it('are counted once for each session, by how the phone came to it', async () => {
    const phone = await api.enrol();
    for (const via of ['qr', 'link'] as const) {
      const sessionId = await api.begin();
      await phone.scan(sessionId, { via });
      await phone.scan(sessionId, { via });
    }
    expect(await valuesOf('scans')).toEqual([
      { via: 'qr', network: 'unknown', value: 1 },
      { via: 'link', network: 'unknown', value: 1 },
    ]);
  });

  it('raise an alarm when they are out of the ordinary, also refused ones: by client and by network, and the line names the client alone', async () => {
    const [phone, other] = [await api.enrol(), await api.bob()];
    const warn = jest.spyOn(api.platform.log, 'warn');
    api.platform.clock.advance(15 * 60_000);
    const late = await api.begin();
    expect((await phone.scan(late)).status).toBe(200);
    const answers = await Promise.all(Array.from({ length: 50 }, () => other.scan(late)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([409]));
    expect(await valuesOf('unusualScans')).toEqual([
      { of: 'client', value: 1 },
      { of: 'network', value: 1 },
    ]);
    const lines = warn.mock.calls.filter(([message]) => message === 'scans out of the ordinary').map(([, fields]) => fields);
    expect(lines).toEqual([
      { component: 'session', reason: 'of one client', count: 51, clientId: api.client.clientId },
      { component: 'session', reason: 'of one network', count: 51 },
    ]);
    warn.mockRestore();
  });
});
