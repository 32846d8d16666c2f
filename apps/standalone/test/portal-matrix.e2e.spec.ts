import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { ClientId } from '#kernel';
import type { HttpApp } from '#service/http';
import { testPlatform } from '#testkit/platform/test-platform';

import { createConsoleApp } from '../../console/src/app.js';
import { PORTAL_BUDGETS } from '../../console/src/portal-budgets.js';
import { become, isTeamRole, join, type Kind, KINDS, type State, STATES } from '../../registry/test/person-states.js';
import { registryFixture } from '../../registry/test/registry.fixture.js';

type Method = 'GET' | 'POST' | 'DELETE';

const ROUTES = Object.keys(PORTAL_BUDGETS).map((route) => route.split(' ') as [Method, string]);
const SESSION = '/portal/v1/session';
/** What takes the session itself away. */
const ENDS: readonly State[] = ['phone revoked', 'erased', 'logged out'];
/** What takes the rights away, and leaves a person who is logged in. */
const UNDOES: readonly State[] = ['removed', 'phone waiting'];

describe('the routes of the portal × kinds × states of the person', () => {
  let registry: Awaited<ReturnType<typeof registryFixture>>;
  let portal: HttpApp;
  let client: ClientId;

  beforeAll(async () => {
    registry = await registryFixture(await testPlatform({ AUTHENTICATION_FAILURE_LIMIT: '1000000' }));
    // Nothing of its own runs: only its routes are asked.
    portal = await createConsoleApp({ ...registry.platform, serving: new Promise(() => undefined) });
    client = (await registry.client()) as ClientId;
    for (const scope of [{ clientId: client }, { roles: ['security'] as const }]) await registry.member(scope);
  }, 60_000);
  afterAll(async () => {
    await portal.close();
    await registry.close();
  });

  const ask = async (method: Method, url: string, headers: Record<string, string>) => {
    const { statusCode, body } = await portal.inject({ method, url, headers, ...(method === 'POST' && { payload: {} }) });
    return { status: statusCode, body: body.startsWith('{') ? (JSON.parse(body) as Record<string, unknown>) : {} };
  };

  it('are those that this test knows', () => {
    expect(ROUTES.map(([method, path]) => `${method} ${path}`).toSorted()).toEqual([
      'DELETE /portal/v1/session',
      'GET /portal/v1/callback',
      'GET /portal/v1/session',
      'POST /portal/v1/login',
    ]);
  });

  /** The rights that the page is shown. */
  const rightsOf = (kind: Kind, state: State): object => {
    const has = !UNDOES.includes(state) && kind !== 'none';
    const team = has && isTeamRole(kind);
    return { roles: has && !team ? [kind] : [], clients: team ? [{ clientId: client, name: 'Shop', role: kind }] : [] };
  };

  describe.each(KINDS)('%s', (kind) => {
    it.each(STATES)(
      '%s',
      async (state) => {
        const person = await registry.newPerson();
        const begun = await join(registry, kind, client, person);
        const headers = await become(registry, state, { person, kind, client, headers: begun });
        const shown = await ask('GET', SESSION, headers);
        const wanted = ENDS.includes(state)
          ? { status: 401, body: { errorCode: 'unauthorized' } }
          : { status: 200, body: { subjectId: person.subjectId, ...rightsOf(kind, state) } };
        expect(shown).toMatchObject(wanted);
        // Without the header that only the page can send, a call of another site does nothing.
        const { cookie } = headers;
        for (const [method, path] of ROUTES.filter(([, each]) => each !== '/portal/v1/callback'))
          expect([method, path, (await ask(method, path, { cookie })).status]).toEqual([method, path, 403]);
        // A login that was not begun here is none, for a person who is logged in too.
        expect((await ask('GET', '/portal/v1/callback?code=x&state=y', headers)).status).toBeGreaterThanOrEqual(300);
        expect(await ask('GET', SESSION, headers)).toMatchObject(wanted);
        expect((await ask('DELETE', SESSION, headers)).status).toBe(204);
        expect((await ask('GET', SESSION, headers)).status).toBe(401);
      },
      60_000,
    );
  });
});
