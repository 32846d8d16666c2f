import { type ClientId, type IdentityId, type RingKey, Secret, SubjectKeys, type SubjectId, type SubjectMigration } from '#kernel';

import { SubjectIds } from '../domain/subject-ids.js';
import { identityRepositories } from '../identity-repositories.js';
import { subjectMigrations, identityUseCases } from '../identity-use-cases.js';
import { identityFixture, MARI } from '#testkit/identity/identity-fixture';

const shop = '7f1d6c7e-0a55-4f43-9d1b-3a6b1f1f0001' as ClientId;
const keyOf = (id: string): RingKey => ({ id, key: new Secret(Buffer.alloc(32, id)) });

/** The present key and the one before, both accepted; without a rotation, the first key alone. */
class RotatingKeys extends SubjectKeys {
  keys: readonly [RingKey, ...RingKey[]] = [keyOf('subject')];
  override current = (): RingKey => this.keys.at(-1) ?? this.keys[0];
  override accepted = () => this.keys;
  override all = () => this.keys;
  override migration = (): SubjectMigration | undefined => {
    const [former, next] = this.keys;
    return next && { former, next, changesAt: 0, endsAt: Number.MAX_SAFE_INTEGER };
  };
}

let keys: RotatingKeys;
let fixture: ReturnType<typeof identityFixture>;
let identity: ReturnType<(typeof fixture)['replica']>;
beforeEach(() => {
  keys = new RotatingKeys();
  fixture = identityFixture();
  identity = fixture.replica({ keys: { ...fixture.parts.keys, subject: keys } });
});
afterEach(() => fixture.close());

const register = (personalCode: string): Promise<IdentityId> => identity.registerIdentity.execute({ ...MARI, personalCode });
/** Persons whose subjectIds the client has learned. */
const persons = async (count: number): Promise<readonly { readonly identityId: IdentityId; readonly subjectId: SubjectId }[]> => {
  const made = [];
  for (let index = 0; index < count; index++) {
    const identityId = await register(`P-${index}`);
    made.push({ identityId, subjectId: await identity.linkSubject.execute(shop, identityId) });
  }
  return made;
};
const list = (eventStore = fixture.parts.eventStore) => {
  const parts = { ...fixture.parts, eventStore, keys: { ...fixture.parts.keys, subject: keys } };
  const given = { ...parts, identityRepositories: identityRepositories(parts) };
  return subjectMigrations({ ...given, linkSubject: identityUseCases(given).linkSubject }).listSubjectMigrations;
};
const all = async (limit = 100) => {
  const found = [];
  for (let after: SubjectId | undefined; ;) {
    const page = await list().execute(shop, { limit, after });
    found.push(...page.subjects);
    if (page.next === undefined) return found;
    after = page.next;
  }
};

describe('the migrations of a client', () => {
  it('are every former value with its new one, page by page, also of pages between that hold new values alone', async () => {
    const before = await persons(5);
    keys.keys = [keyOf('subject'), keyOf('second')];
    const pairs = before.map(({ identityId, subjectId }) => ({ former: subjectId, next: identity.subjectIds.of(shop, identityId) }));
    expect(await all(2)).toEqual(pairs);
    await identity.linkSubject.execute(shop, await register('NEW'));
    expect(await all(2)).toEqual(pairs);
    for (const { next, former } of pairs)
      expect(await identity.resolveSubject.execute(shop, next)).toBe(await identity.resolveSubject.execute(shop, former));
  });

  it('are complete when a crash in the middle of a page is followed by a repetition, and each link is stored once', async () => {
    const before = await persons(3);
    keys.keys = [keyOf('subject'), keyOf('second')];
    const { eventStore } = fixture.parts;
    const append = eventStore.append.bind(eventStore);
    let left = 1;
    eventStore.append = (...parameters) => (left-- > 0 ? append(...parameters) : Promise.reject(new Error('the process is killed')));
    await expect(list(eventStore).execute(shop, { limit: 100 })).rejects.toThrow('killed');
    eventStore.append = append;
    expect(await all()).toHaveLength(before.length);
    for (const { identityId } of before) {
      const subjectId = identity.subjectIds.of(shop, identityId);
      expect(await fixture.store.read(`subject-${subjectId}` as never)).toHaveLength(1);
      expect(await identity.resolveSubject.execute(shop, subjectId)).toBe(identityId);
    }
  });

  it('leave an erased person out, and the erasure takes both values away', async () => {
    const [mari, anna] = await persons(2);
    keys.keys = [keyOf('subject'), keyOf('second')];
    expect(await all()).toHaveLength(2);
    await identity.eraseIdentity.execute(mari?.identityId as IdentityId);
    expect((await all()).map(({ former }) => former)).toEqual([anna?.subjectId]);
    for (const key of ['subject', 'second'] as const) {
      keys.keys = [keyOf(key)];
      const subjectId = identity.subjectIds.of(shop, mari?.identityId as IdentityId);
      expect(await identity.resolveSubject.execute(shop, subjectId)).toBeUndefined();
      expect(await fixture.store.read(`subject-${subjectId}` as never)).toMatchObject([{ type: 'SubjectReleased', data: {} }]);
    }
  });

  it('give no new value to a person who is erased while the page is made', async () => {
    const [mari] = await persons(1);
    keys.keys = [keyOf('subject'), keyOf('second')];
    expect(await all(1)).toHaveLength(1);
    const { linkSubject } = identity;
    await identity.eraseIdentity.execute(mari?.identityId as IdentityId);
    await expect(linkSubject.execute(shop, mari?.identityId as IdentityId)).rejects.toMatchObject({ code: 'identity_not_found' });
  });

  it('lead from one rotation to the next, and never back', async () => {
    const [mari] = await persons(1);
    const identityId = mari?.identityId as IdentityId;
    keys.keys = [keyOf('subject'), keyOf('second')];
    const [first] = await all();
    keys.keys = [keyOf('second')];
    expect(await all()).toEqual([]);
    expect(await identity.resolveSubject.execute(shop, first?.former as SubjectId)).toBeUndefined();
    keys.keys = [keyOf('second'), keyOf('third')];
    expect(await all()).toEqual([{ former: first?.next, next: identity.subjectIds.of(shop, identityId) }]);
    expect(await identity.resolveSubject.execute(shop, first?.former as SubjectId)).toBeUndefined();
    await identity.eraseIdentity.execute(identityId);
    for (const key of ['subject', 'second', 'third']) {
      const subjectId = new SubjectIds(Object.assign(new RotatingKeys(), { keys: [keyOf(key)] }), 'test').of(shop, identityId);
      expect(await fixture.store.read(`subject-${subjectId}` as never)).toMatchObject([{ type: 'SubjectReleased' }]);
    }
  });
});
