import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it, jest } from '@jest/globals';

import { EventStoreUnavailable } from '#engines/event-store';
import { eventually } from '#testkit/kernel/eventually';
import { sessionFixture } from '#testkit/platform/session-fixture';
import { CODE_VERIFIER } from '#testkit/session/login-request';

import { sessionApiFixture } from './session-api.fixture.js';

type Api = Awaited<ReturnType<typeof sessionApiFixture>>;

/** A session API with these settings, for the time of the work. */
const withApi = async (settings: Readonly<Record<string, string>>, work: (api: Api) => Promise<void>): Promise<void> => {
  const api = await sessionApiFixture(await sessionFixture({}, settings));
  try {
    await work(api);
  } finally {
    await api.close();
  }
};

/** Waits until the metrics show the line: a request is measured after its answer. */
const shows = ({ platform }: Api, line: RegExp): Promise<void> =>
  eventually(async () => line.test(await platform.metrics.registry.metrics()), { what: String(line) });

describe('the metrics behind the alerts', () => {
  it('measure the requests of the objectives by the routes that the rules name', async () => {
    const rules = readFileSync(join(import.meta.dirname, '../../../deploy/helm/countersign/files/alerts/slo.yaml'), 'utf8');
    const routes = new Map([...rules.matchAll(/method="(\w+)", route="([^"]+)"/g)].map(([, method, route]) => [route!, method!]));
    expect(routes.size).toBe(3);
    await withApi({}, async (api) => {
      const { sessionId, code } = await api.login();
      expect((await api.call('GET', `/session/${sessionId}/status`)).status).toBe(200);
      expect((await api.call('POST', '/session/token', { code, code_verifier: CODE_VERIFIER })).status).toBe(200);
      for (const [route, method] of routes)
        await shows(api, new RegExp(`^http_request_duration_seconds_count\\{method="${method}",route="${route}",status="2\\d\\d"\\} 1$`, 'm'));
    });
  });

  it('count wrong secrets that are turned away', async () => {
    await withApi({ AUTHENTICATION_FAILURE_LIMIT: '3' }, async (api) => {
      const authorization = `Basic ${btoa(`${api.client.clientId}:wrong`)}`;
      const guess = () => api.app.inject({ method: 'POST', url: '/relying-party/v1/session', headers: { authorization }, payload: {} });
      const answers = await Promise.all(Array.from({ length: 5 }, guess));
      expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 401));
      expect(answers.filter(({ headers }) => headers['retry-after'] !== undefined)).toHaveLength(2);
      await shows(api, /^http_refusals_total\{.*code="rate_limited"\} 2$/m);
    });
  });

  it('count requests that the event store does not let answer', async () => {
    await withApi({}, async (api) => {
      const sessionId = await api.create();
      jest.spyOn(api.platform.eventStore, 'read').mockRejectedValue(new EventStoreUnavailable('no answer'));
      expect((await api.call('GET', `/session/${sessionId}/status`)).status).toBe(503);
      await shows(api, /^http_refusals_total\{.*code="service_unavailable"\} 1$/m);
      await shows(api, /^http_request_duration_seconds_count\{.*status="503"\} 1$/m);
    });
  });
});
