import { type ClientId, type IdentityId, type RingKey, Secret, SubjectKeys, type SubjectMigration } from '#kernel';
import { testPlatform, withParts } from '#testkit/platform/test-platform';

import { registryFixture } from './registry.fixture.js';

const keyOf = (id: string): RingKey => ({ id, key: new Secret(Buffer.alloc(32, id)) });
const [CHANGES, ENDS] = [1_767_300_000, 1_767_900_000];

/** The first key alone, and after the rotation both. */
class RotatingKeys extends SubjectKeys {
  keys: readonly [RingKey, ...RingKey[]] = [keyOf('subject')];
  override current = (): RingKey => this.keys.at(-1) ?? this.keys[0];
  override accepted = () => this.keys;
  override all = () => this.keys;
  override migration = (): SubjectMigration | undefined => {
    const [former, next] = this.keys;
    return next && { former, next, changesAt: CHANGES * 1000, endsAt: ENDS * 1000 };
  };
}

const keys = new RotatingKeys();
let registry: Awaited<ReturnType<typeof registryFixture>>;
let clientId: ClientId;
beforeAll(async () => {
  const platform = await testPlatform();
  registry = await registryFixture(withParts(platform, { keys: { ...platform.keys, subject: keys } }));
  clientId = (await registry.client()) as ClientId;
});
afterAll(() => registry.close());

const list = (by: Record<string, string>, query = '') => registry.call('GET', `/clients/${clientId}/subject-migrations${query}`, undefined, by);

describe('the accounts whose subjectIds change', () => {
  it('are listed for a member of the client, as the client itself gets them, and for no member of another one', async () => {
    const member = await registry.member({ clientId });
    const { linkSubject } = registry.platform.useCases.identity();
    const former: string[] = [];
    for (const personal_code of ['47101010033', '47101010044'])
      former.push(await linkSubject.execute(clientId, (await registry.identity({ personal_code })) as IdentityId));
    expect((await list(member)).body).toEqual({ subjects: [] });

    keys.keys = [keyOf('subject'), keyOf('second')];
    const { status, body } = await list(member, '?limit=1');
    expect([status, body]).toEqual([
      200,
      { changesAt: CHANGES, endsAt: ENDS, subjects: [{ formerSubjectId: former[0], subjectId: expect.any(String) }], next: former[0] },
    ]);
    const rest = (await list(member, `?after=${String(body['next'])}`)).body;
    expect(rest['subjects']).toEqual([{ formerSubjectId: former[1], subjectId: expect.any(String) }]);
    expect(rest).not.toHaveProperty('next');

    const other = await registry.member({ clientId: (await registry.client({ name: 'Other shop' })) as ClientId });
    expect((await list(other)).status).toBe(403);
    expect((await list(member, '?after=00000000-0000-4000-8000-000000000000')).status).toBe(400);
  });

  it('of an unknown client are 404', async () => {
    const { status, body } = await registry.call('GET', '/clients/00000000-0000-4000-8000-000000000000/subject-migrations');
    expect([status, body['errorCode']]).toEqual([404, 'client_not_found']);
  });
});
