import { Phone } from '#clients/software-phone';
import { type StreamName, UnitOfWork } from '#engines/event-store';
import type { DeviceId } from '#kernel';
import { STORE_ENGINES } from '#testkit/event-store/store-engines';
import { fetchFrom } from '#testkit/http/fetch-from';
import { sessionFixture } from '#testkit/platform/session-fixture';
import { withParts } from '#testkit/platform/test-platform';

import { createDeviceApiApp } from '../../device-api/src/app.js';

const PIN = '1470';
const WRONG = '2580';

describe.each(STORE_ENGINES)('a phone that a process has served within a minute, on $engine,', ({ open, hasTransactions }) => {
  let world: Awaited<ReturnType<typeof sessionFixture>>;
  let deviceApi: Awaited<ReturnType<typeof createDeviceApiApp>>;
  let phone: Phone;
  /** The streams of the phones that were read since the last request of a test began. */
  let read: StreamName[];
  beforeEach(async () => {
    world = await sessionFixture({}, {}, open);
    const { platform, identityId } = world;
    deviceApi = await createDeviceApiApp(platform);
    const activationCode = (await platform.useCases.phones().issueActivationCode.execute(identityId)).activationCode.reveal();
    const enrolment = { baseUrl: 'http://localhost:3000', activationCode, name: 'Phone', platform: 'test', pin: PIN };
    phone = await Phone.enrol(enrolment, { clock: platform.clock, fetch: fetchFrom(deviceApi) });
    await begin();
    expect([(await scan()).status, (await phone.confirm(PIN)).status]).toEqual([200, 200]);
    read = [];
    const reading = platform.eventStore.read.bind(platform.eventStore);
    platform.eventStore.read = ((...given: Parameters<typeof reading>) => {
      if (given[0].startsWith('device-')) read.push(given[0]);
      return reading(...given);
    }) as typeof reading;
  });
  afterEach(async () => {
    world.platform.stop();
    await deviceApi.close();
    await world.platform.close();
  });

  let sessionId: string;
  const begin = async () => void (sessionId = await world.begin(world.client.clientId));
  const scan = () => phone.scan(sessionId);
  /** The use cases of another process. */
  const elsewhere = () => {
    const { platform } = world;
    return withParts(platform, { unitOfWork: new UnitOfWork(platform.eventStore, platform.clock) }).useCases;
  };
  const deviceId = () => phone.deviceId as DeviceId;
  const events = () => world.events(sessionId);

  it('is not read before a scan and a confirmation, where what they store proves it', async () => {
    await begin();
    read.length = 0;
    const statuses = [(await scan()).status, (await phone.confirm(PIN)).status];
    expect(statuses).toEqual([200, 200]);
    if (hasTransactions) expect(read).toEqual([]);
    else expect(read.length).toBeGreaterThan(0);
    expect(await events()).toEqual(['SessionCreated', 'SessionScanned', 'SessionConfirmed']);
  });

  it.each(['revoke', 'erase'] as const)('is refused as always once another process has done this: %s', async (change) => {
    await begin();
    const scanned = (await scan()).body;
    const { phones, erasures } = elsewhere();
    await (change === 'revoke' ? phones().revokeDevice.execute(world.identityId, deviceId()) : erasures().eraseIdentity.execute(world.identityId));
    const before = await events();
    const confirmed = await phone.confirm(PIN, scanned as never);
    expect([confirmed.status, confirmed.body]).toMatchObject([401, { errorCode: 'invalid_device_proof' }]);
    expect(await events()).toEqual(before);
    await begin();
    expect([(await scan()).status, await events()]).toEqual([401, ['SessionCreated']]);
    // also where nothing would be stored
    sessionId = world.platform.randomness.uuid();
    expect((await scan()).status).toBe(401);
  });

  it('cannot scan once wrong PINs to another process have locked it', async () => {
    const other = await createDeviceApiApp(
      withParts(world.platform, { unitOfWork: new UnitOfWork(world.platform.eventStore, world.platform.clock) }),
    );
    const there = Phone.restore(phone.toJSON(), { clock: world.platform.clock, fetch: fetchFrom(other) });
    try {
      await begin();
      await there.scan(sessionId);
      for (const times of [1, 2, 3]) expect([times, (await there.confirm(WRONG)).status]).not.toEqual([times, 200]);
      await begin();
      const scanned = await scan();
      expect(scanned.body).toMatchObject({ errorCode: 'device_locked' });
      expect(await events()).toEqual(['SessionCreated']);
    } finally {
      await other.close();
    }
  });
});
