import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';

import { type RingKey, Secret, type SubjectId, SubjectKeys } from '#kernel';
import { sessionFixture } from '#testkit/platform/session-fixture';
import { withParts } from '#testkit/platform/test-platform';

import { backchannelFixture } from './backchannel.fixture.js';

/** The key of the moment last, and the one before, which clients may still use. */
class RotatingKeys extends SubjectKeys {
  constructor(public keys: readonly [RingKey, ...RingKey[]]) {
    super();
  }
  override current = (): RingKey => this.keys.at(-1) ?? this.keys[0];
  override accepted = () => this.keys;
  override all = () => this.keys;
  override migration = () => undefined;
}

const NEXT: RingKey = { id: 'next', key: new Secret(Buffer.alloc(32, 2)) };

describe('a client that knows a person by a former subjectId, after a rotation of the subject key', () => {
  let api: Awaited<ReturnType<typeof backchannelFixture>>;
  let former: SubjectId;
  let idToken: string;
  beforeAll(async () => {
    const world = await sessionFixture();
    const keys = new RotatingKeys([world.platform.keys.subject.current()]);
    const platform = withParts(world.platform, { keys: { ...world.platform.keys, subject: keys } });
    api = await backchannelFixture({ ...world, platform });
    former = api.sub;
    const id = await api.ask({ login_hint: former });
    await api.approve(id);
    idToken = String((await api.poll(id)).body['id_token']);
    keys.keys = [...keys.keys, NEXT];
  });
  afterAll(() => api.close());

  it('names the person by that value, by an ID token with it, and by the new one, and gets the new one', async () => {
    for (const hint of [{ login_hint: former }, { id_token_hint: idToken }]) {
      const id = await api.ask(hint);
      await api.approve(id);
      const { sub } = decodeJwt(String((await api.poll(id)).body['id_token']));
      expect(sub).not.toBe(former);
      const again = await api.ask({ login_hint: String(sub) });
      await api.approve(again);
      expect(decodeJwt(String((await api.poll(again)).body['id_token'])).sub).toBe(sub);
    }
  });
});
