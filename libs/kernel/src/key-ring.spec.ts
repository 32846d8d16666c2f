import { type RingKey } from './key-ring.js';
import { OneSubjectKey } from '#testkit/kernel/one-subject-key';
import { StaticKeyRing } from '#testkit/kernel/static-key-ring';
import { Secret } from './secret.js';

const key = (id: string): RingKey => ({ id, key: new Secret(Buffer.alloc(32, id)) });
const [newest, older] = [key('newest'), key('older')];

describe('a ring of fixed keys', () => {
  const ring = new StaticKeyRing([newest, older]);

  it('makes new values under the first', () => {
    expect(ring.current()).toBe(newest);
  });

  it('finds each by its id, and no other', () => {
    expect(['newest', 'older', 'new', ''].map((id) => ring.find(id))).toEqual([newest, older, undefined, undefined]);
  });

  it('stays as it is when it is read again', async () => {
    expect(await ring.reread()).toBeUndefined();
    expect(ring.find('older')).toBe(older);
  });
});

describe('a subject key that is never rotated', () => {
  it('makes and accepts all subjectIds', () => {
    const keys = new OneSubjectKey(newest);
    expect(keys.current()).toBe(newest);
    expect([keys.accepted(), keys.all()]).toEqual([[newest], [newest]]);
    expect(keys.migration()).toBeUndefined();
  });
});
