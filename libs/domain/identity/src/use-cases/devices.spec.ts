import { type DeviceId, LocatingTokens } from '#kernel';
import { idOf, streamName } from '#engines/event-store';

import { enrolmentRequest, MARI, pinProof } from '#testkit/identity/identity-fixture';
import { identity, identityId, usePerson, typesIn } from '#testkit/identity/registered-person';

usePerson();

describe('an enrolment', () => {
  it('makes the phone a device of the person', async () => {
    const { deviceId, name, certificate, chain } = await identity.enrol(identityId);
    expect({ name, chain: chain.map(String) }).toEqual({ name: "Mari's phone", chain: ['issuing CA', 'root'] });
    expect(String(certificate)).toMatch(/^certificate /);
    expect(await identity.findDevice.execute(deviceId)).toMatchObject({
      deviceId,
      identityId,
      status: 'ACTIVE',
      authenticationKey: { kty: 'EC', crv: 'P-256' },
    });
    expect(await identity.hasActiveDevice.execute(identityId)).toBe(true);
    expect(await typesIn('identity', identityId)).toEqual(['IdentityRegistered', 'ActivationCodeIssued', 'DeviceAdded']);
    expect(await typesIn('certificate', String(certificate).slice('certificate '.length))).toEqual(['CertificateIssued']);
    expect(await identity.listDevices.execute(identityId, { limit: 10 })).toEqual({
      entries: [{ deviceId, name, platform: 'Android 16', status: 'ACTIVE', enrolledAt: identity.clock.now() }],
    });
  });

  it('names its person beforehand, until the code is used, has ended or the person is erased', async () => {
    const codes = await Promise.all([1, 2].map(() => identity.issueActivationCode.execute(identityId)));
    const [used = '', late = ''] = codes.map(({ activationCode }) => activationCode.reveal());
    expect(await identity.findCodeHolder.execute(used)).toEqual({ givenName: MARI.givenName, familyName: MARI.familyName });
    await identity.enrol(identityId, used);
    const refused = (reason: string) => ({ code: 'invalid_activation_code', reason });
    await expect(identity.findCodeHolder.execute(used)).rejects.toMatchObject(refused('already used'));
    identity.clock.advance(15 * 60_000);
    await expect(identity.findCodeHolder.execute(late)).rejects.toMatchObject(refused('expired'));
    const code = (await identity.issueActivationCode.execute(identityId)).activationCode.reveal();
    await identity.eraseIdentity.execute(identityId);
    await expect(identity.findCodeHolder.execute(code)).rejects.toMatchObject(refused('identity is ERASED'));
    await expect(identity.findCodeHolder.execute('nonsense')).rejects.toMatchObject(refused('not a code'));
  });

  it('needs a signing request where there is a certificate authority, and leaves the code valid without', async () => {
    const code = (await identity.issueActivationCode.execute(identityId)).activationCode.reveal();
    await expect(identity.enrolDevice.execute({ ...enrolmentRequest(), activationCode: code, signingCsr: undefined })).rejects.toMatchObject({
      code: 'invalid_request',
      detail: '`signing_csr` must be a PKCS#10 request in base64 DER.',
    });
    await identity.enrol(identityId, code);
  });

  it.each([
    ['without a signing request', undefined],
    ['with a signing request, which is not read', Buffer.from('a request')],
  ])('makes a device without a certificate where there is no certificate authority: %s', async (_, signingCsr) => {
    const { enrolDevice, readSigningCertificate, hasActiveDevice, eraseIdentity } = identity.replica({ certificateAuthority: undefined });
    const activationCode = (await identity.issueActivationCode.execute(identityId)).activationCode.reveal();
    const { deviceId, signingCertificate } = await enrolDevice.execute({ ...enrolmentRequest(), activationCode, signingCsr });
    expect(signingCertificate).toBeUndefined();
    expect(identity.certificateAuthority.issued).toBe(0);
    expect(await hasActiveDevice.execute(identityId)).toBe(true);
    expect((await identity.store.read(streamName('device', deviceId)))[0]?.data).not.toHaveProperty('certificateSerial');
    await expect(readSigningCertificate.execute({ identityId, deviceId })).rejects.toMatchObject({
      code: 'invalid_request',
      reason: 'device without a certificate',
    });
    await eraseIdentity.execute(identityId);
    expect(await identity.findDevice.execute(deviceId)).toBeUndefined();
  });

  it('stores neither the name, the platform nor the PIN proof in the open', async () => {
    const { deviceId } = await identity.enrol(identityId);
    const stored = JSON.stringify((await identity.store.read(streamName('device', deviceId))).map(({ data }) => data));
    expect(stored).not.toMatch(/Mari|Android/);
    expect(stored).not.toContain(pinProof('1234'));
  });

  it('consumes its code, also when many phones use it at the same time', async () => {
    const code = (await identity.issueActivationCode.execute(identityId)).activationCode.reveal();
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => identity.enrol(identityId, code)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(identity.certificateAuthority.issued).toBe(1);
    await expect(identity.enrol(identityId, code)).rejects.toMatchObject({ code: 'invalid_activation_code', reason: 'already used' });
  });

  it('records every device when many are enrolled at the same time', async () => {
    await Promise.all(Array.from({ length: 10 }, () => identity.enrol(identityId)));
    const { entries } = await identity.listDevices.execute(identityId, { limit: 100 });
    expect(entries.map(({ name }) => name)).toEqual(Array(10).fill("Mari's phone"));
  });

  it('accepts each of several codes for 15 minutes', async () => {
    const codes = await Promise.all([1, 2].map(() => identity.issueActivationCode.execute(identityId)));
    const [first, second] = codes.map(({ activationCode }) => activationCode.reveal());
    expect(first).not.toBe(second);
    expect(codes[0]?.expiresAt).toBe(identity.clock.now() + 900_000);
    identity.clock.advance(899_999);
    await identity.enrol(identityId, second);
    identity.clock.advance(1);
    await expect(identity.enrol(identityId, first)).rejects.toMatchObject({ code: 'invalid_activation_code', reason: 'expired' });
  });

  it('gives one public answer to every wrong code and the reason to the log', async () => {
    const codes = new LocatingTokens(identity.parts.keys.token, 'activation-code');
    const other = new LocatingTokens(identity.parts.keys.token, 'login-cookie');
    const [, issued] = await issuedEvent();
    const refusals = await Promise.all(
      ['', 'nonsense', '😀', codes.make(identity.randomness.uuid(), issued), codes.make(identityId, 'another'), other.make(identityId, issued)].map(
        (code) => identity.enrol(identityId, code).catch((error: unknown) => error),
      ),
    );
    expect(refusals.map((refusal) => (refusal as { reason: string }).reason)).toEqual([
      'not a code',
      'not a code',
      'not a code',
      'identity is NONE',
      'forged',
      'forged',
    ]);
    for (const refusal of refusals) expect(refusal).toMatchObject({ code: 'invalid_activation_code', detail: undefined, payload: undefined });
    expect(identity.certificateAuthority.issued).toBe(0);
  });

  it('leaves a device that counts as revoked and a valid code when a crash interrupts it before the last event', async () => {
    const code = (await identity.issueActivationCode.execute(identityId)).activationCode.reveal();
    const { append } = identity.store;
    identity.store.append = (stream, expected, events) =>
      events[0]?.type === 'DeviceAdded' ? Promise.reject(new Error('crash')) : append.call(identity.store, stream, expected, events);
    await expect(identity.enrol(identityId, code)).rejects.toThrow('crash');
    identity.store.append = append;

    const orphan = await orphanedDevice();
    expect(await identity.findDevice.execute(orphan)).toMatchObject({ status: 'REVOKED' });
    expect((await identity.listDevices.execute(identityId, { limit: 10 })).entries).toEqual([]);
    await identity.enrol(identityId, code);
  });

  it.each([
    [{ pinProof: 'short' }, '`pin_proof` must be 32 bytes in base64url.'],
    [{ name: '' }, '`name` must have 1 to 64 characters.'],
    [{ name: 'x\u202e' }, '`name` must hold no control or direction-override character.'],
    [{ platform: 'x'.repeat(65) }, '`platform` must have 0 to 64 characters.'],
    [{ authenticationKey: { kty: 'RSA' } }, '`jwk` must be a P-256 key.'],
    [{ authenticationKey: { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' } }, '`jwk` must be a point of P-256.'],
  ])('refuses %j', async (changes, detail) => {
    await expect(identity.enrolDevice.execute({ ...enrolmentRequest(), ...changes })).rejects.toMatchObject({ code: 'invalid_request', detail });
  });

  const issuedEvent = async () => {
    await identity.issueActivationCode.execute(identityId);
    return (await identity.store.read(streamName('identity', identityId))).map(({ id }) => id) as unknown as [string, string];
  };

  const orphanedDevice = async () => {
    const enough = new AbortController();
    for await (const item of identity.store.subscribe({ categories: ['device'], signal: enough.signal })) {
      if (item !== 'caught-up') return idOf<DeviceId>(item.stream);
    }
    throw new Error('no device');
  };
});

describe('a revocation', () => {
  it('ends the device, and is shown', async () => {
    const { deviceId } = await identity.enrol(identityId);
    await identity.revokeDevice.execute(identityId, deviceId);
    await identity.revokeDevice.execute(identityId, deviceId);
    expect(await typesIn('device', deviceId)).toEqual(['DeviceEnrolled', 'DeviceRevoked']);
    expect(await identity.findDevice.execute(deviceId)).toMatchObject({ status: 'REVOKED' });
    expect(await identity.hasActiveDevice.execute(identityId)).toBe(false);
    expect((await identity.listDevices.execute(identityId, { limit: 1 })).entries).toMatchObject([{ deviceId, status: 'REVOKED' }]);
  });

  it("does not reach another person's device", async () => {
    const { deviceId } = await identity.enrol(identityId);
    const other = await identity.registerIdentity.execute({ ...MARI, personalCode: '2' });
    await expect(identity.revokeDevice.execute(other, deviceId)).rejects.toMatchObject({ code: 'device_not_found' });
    await expect(identity.revokeDevice.execute(identity.randomness.uuid(), deviceId)).rejects.toMatchObject({ code: 'identity_not_found' });
    expect(await identity.findDevice.execute(deviceId)).toMatchObject({ status: 'ACTIVE' });
  });
});

it('finds no device under an unknown id', async () => {
  expect(await identity.findDevice.execute(identity.randomness.uuid())).toBeUndefined();
});
