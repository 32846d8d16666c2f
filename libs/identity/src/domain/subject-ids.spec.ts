import { type ClientId, type IdentityId, OneSubjectKey, parseId, Secret } from '#kernel';

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
});
