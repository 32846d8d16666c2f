import type { OwnDevice } from '#clients/device';
import type { PhoneState } from './phone-state.js';
import { ok, phoneWith, refused, SCAN, type Script, UNREACHABLE, usePhones } from './testing/scripted-phone.js';

usePhones();

const device = (deviceId: string): OwnDevice => ({ deviceId, name: `Phone ${deviceId}`, enrolledAt: 1, current: deviceId === 'own' });
const LIST = [device('later'), device('own'), device('earlier')];

/** At home, with the list read. */
const atHome = async (script: Script = {}) => {
  const fixture = phoneWith({ devices: ok(LIST), ...script });
  await fixture.phone.start(undefined);
  fixture.phone.devices.start();
  await Promise.resolve();
  await Promise.resolve();
  return fixture;
};

const othersIn = (state: PhoneState | undefined) =>
  state?.kind === 'HOME' ? state.others?.map(({ deviceId, isNew }) => `${deviceId}${isNew ? ' new' : ''}`) : undefined;

const asking = async (script: Script) => {
  const fixture = await atHome(script);
  fixture.phone.devices.ask(device('later'));
  return fixture;
};

describe('the other phones of the person', () => {
  it('are shown at home, and those that were set up later than this one are new', async () => {
    const { last } = await atHome();
    expect(othersIn(last())).toEqual(['later new', 'earlier']);
  });

  it('are new no more once the person knows them, and the next one is', async () => {
    const { phone, last, memories } = await atHome();
    await phone.devices.acceptNew();
    expect(othersIn(last())).toEqual(['later', 'earlier']);
    expect(memories.at(-1)).toMatchObject({ knownDevices: ['later', 'own', 'earlier'] });
  });

  it('stay known after PINs that were judged in between', async () => {
    const { phone, memories } = await atHome({ revoke: [refused(403, 'wrong_pin', { attemptsLeft: 2 })] });
    await phone.devices.acceptNew();
    phone.devices.ask(device('later'));
    await phone.devices.revoke('2580');
    expect(memories.at(-1)).toMatchObject({ pinAttemptsLeft: 2, knownDevices: ['later', 'own', 'earlier'] });
  });

  it.each([[ok([device('own')])], [UNREACHABLE], [refused(423, 'device_locked')], [refused(404, 'not_found')]])(
    'are not shown when there are none, or without an answer: %j',
    async (devices) => {
      expect(othersIn((await atHome({ devices })).last())).toBeUndefined();
    },
  );

  it('are not shown over a screen that came meanwhile', async () => {
    const fixture = phoneWith({ devices: ok(LIST) });
    await fixture.phone.start(undefined);
    fixture.phone.devices.start();
    fixture.phone.devices.stop();
    fixture.phone.devices.ask(device('later'));
    await Promise.resolve();
    expect(fixture.last()).toMatchObject({ kind: 'REVOKE' });
  });
});

describe('a phone that the person removes', () => {
  it('is removed by the PIN', async () => {
    const { phone, kinds, last, calls } = await asking({ revoke: [ok(true)] });
    await phone.devices.revoke('2580');
    expect(kinds().slice(-3)).toEqual(['REVOKE', 'REVOKING', 'HOME']);
    expect(last()).toMatchObject({ notice: 'PHONE_REMOVED' });
    expect(calls.at(-1)).toMatch(/^revoke later [\w-]{43}$/);
  });

  it('stays after a wrong PIN, which may be entered again, and without an answer', async () => {
    const { phone, last } = await asking({ revoke: [refused(403, 'wrong_pin', { attemptsLeft: 2 }), UNREACHABLE, ok(true)] });
    await phone.devices.revoke('0000');
    expect(last()).toMatchObject({ kind: 'REVOKE', attemptsLeft: 2 });
    await phone.devices.revoke('2580');
    expect(last()).toMatchObject({ kind: 'REVOKE', unreachable: true });
    await phone.devices.revoke('2580');
    expect(last()).toMatchObject({ kind: 'HOME', notice: 'PHONE_REMOVED' });
  });

  it.each([
    [refused(403, 'wrong_pin', { attemptsLeft: 0 })],
    [refused(423, 'device_locked')],
    [refused(404, 'device_not_found')],
    [refused(401, 'invalid_device_proof')],
  ])('is not asked for again, and home tells why: %j', async (reply) => {
    const { phone, last } = await asking({ revoke: [reply] });
    await phone.devices.revoke('2580');
    expect(last()).toMatchObject({ kind: 'HOME' });
    expect(last()).not.toHaveProperty('notice');
  });

  it('is not interrupted by a link: a tap on the PIN pad must not meet another screen', async () => {
    const { phone, last, calls } = await asking({});
    const before = calls.length;
    await phone.take(SCAN);
    expect(last()).toMatchObject({ kind: 'REVOKE' });
    expect(calls).toHaveLength(before);
  });
});

describe('this phone, when it is removed from the browser,', () => {
  it('is revoked at the service with a key that is destroyed', async () => {
    const { phone, calls, store, last } = await atHome();
    await phone.forget();
    expect(calls.at(-1)).toBe('remove');
    expect(store.kept()).toBeUndefined();
    expect(last()).toEqual({ kind: 'ENROL_CODE', code: '' });
  });

  it.each([[UNREACHABLE], [refused(401, 'invalid_device_proof')], [refused(503, 'service_unavailable')]])(
    'is removed all the same when the service answers %j',
    async (remove) => {
      const { phone, store } = await atHome({ remove });
      await phone.forget();
      expect(store.kept()).toBeUndefined();
    },
  );

  it('is removed without any call where it is no phone yet', async () => {
    const { phone, calls } = phoneWith({}, false);
    await phone.start(undefined);
    await phone.forget();
    expect(calls).toEqual([]);
  });
});
