import { type ClientId, type IdentityId, parseId, type RingKey, Secret, SubjectKeys } from '#kernel';
import { OneSubjectKey } from '#testkit/kernel/one-subject-key';

import { SubjectIds } from './subject-ids.js';

const client = '7f1d6c7e-0a55-4f43-9d1b-3a6b1f1f0001' as ClientId;
const other = '7f1d6c7e-0a55-4f43-9d1b-3a6b1f1f0002' as ClientId;
const person = '11111111-1111-4111-8111-111111111111' as IdentityId;
const keyOf = (content: number) => new OneSubjectKey({ id: 'one', key: new Secret(Buffer.alloc(32, content)) });
const key = keyOf(7);

describe('a subjectId', () => {
  const ids = new SubjectIds(key, 'test');

  it('is a UUID of version 8 and always the same for a client and a person', () => {
    const id = ids.of(client, person);
    expect(parseId(id)).toBe(id);
    expect(id).toMatch(/^.{14}8.{4}[89ab]/);
    expect(new SubjectIds(key, 'test').of(client, person)).toBe(id);
  });

  it('equals the value of an independent implementation, and so never changes', () => {
    expect(ids.of(client, person)).toBe('9c1df054-81b2-848b-b8d0-3dcd1837f818');
  });

  it('is another one for another client, person, environment or key', () => {
    const all = [
      ids.of(client, person),
      ids.of(other, person),
      ids.of(client, other as string as IdentityId),
      new SubjectIds(key, 'production').of(client, person),
      new SubjectIds(keyOf(8), 'test').of(client, person),
    ];
    expect(new Set(all).size).toBe(all.length);
  });

  it('is the only one while no accounts migrate', () => {
    const id = ids.of(client, person);
    expect([ids.accepted(client, person), ids.all(client, person)]).toEqual([[id], [id]]);
    expect([ids.migration(), ids.pair(client, person)]).toEqual([undefined, undefined]);
  });
});

describe('subjectIds during a rotation of the subject key', () => {
  const [former, next, older] = ['f', 'n', 'o'].map((id) => ({ id, key: new Secret(Buffer.alloc(32, id)) })) as [RingKey, RingKey, RingKey];
  const migration = { former, next, changesAt: 10, endsAt: 20 };
  class Rotation extends SubjectKeys {
    override current = () => former;
    override accepted = () => [former, next];
    override all = () => [older, former, next];
    override migration = () => migration;
  }
  const ids = new SubjectIds(new Rotation(), 'test');
  const under = (one: RingKey) => new SubjectIds(new OneSubjectKey(one), 'test').of(client, person);

  it('are the former one for the client, both for its requests, and all for stored sessions', () => {
    expect(ids.of(client, person)).toBe(under(former));
    expect(ids.accepted(client, person)).toEqual([under(former), under(next)]);
    expect(ids.all(client, person)).toEqual([under(older), under(former), under(next)]);
  });

  it('are told to the client as a pair, with the times', () => {
    expect(ids.pair(client, person)).toEqual({ former: under(former), next: under(next) });
    expect(ids.migration()).toMatchObject({ changesAt: 10, endsAt: 20 });
  });
});
