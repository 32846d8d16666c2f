import { type DeviceId, LocatingTokens, Secret } from '#kernel';
import { StaticKeyRing } from '#testkit/kernel/static-key-ring';

import type { Sessions } from '../repositories/sessions.js';
import { FindApprovingDevice } from './find-approving-device.js';

const ID = '33333333-3333-4333-8333-333333333333';
const PHONE = '55555555-5555-4555-8555-555555555555' as DeviceId;
const codes = new LocatingTokens(new StaticKeyRing([{ id: 'k1', key: new Secret(Buffer.alloc(32, 1)) }]), 'authorization-code');
const completed = { status: 'COMPLETED', grant: { eventId: 'event-2' }, scan: { deviceId: PHONE } };

describe('the phone that approved a login', () => {
  const find = (code: string, session: object | undefined = completed) =>
    new FindApprovingDevice({ find: async () => session } as unknown as Sessions, codes).execute(code);

  it('is found by the code of the login', async () => {
    expect(await find(codes.make(ID, 'event-2'))).toBe(PHONE);
  });

  it.each<readonly [string, string, object | undefined]>([
    ['what is no code', 'undefined', completed],
    ['a forged code', codes.make(ID, 'event-1'), completed],
    ['a login that is not completed', codes.make(ID, 'event-2'), { ...completed, status: 'CONFIRMED' }],
    ['a signature', codes.make(ID, 'event-2'), { status: 'COMPLETED', result: {}, scan: completed.scan }],
  ])('is not found by %s', async (_, code, session) => {
    expect(await find(code, session)).toBeUndefined();
  });

  it('is not found once the session is gone', async () => {
    const gone = new FindApprovingDevice({ find: async () => undefined }, codes);
    expect(await gone.execute(codes.make(ID, 'event-2'))).toBeUndefined();
  });
});
