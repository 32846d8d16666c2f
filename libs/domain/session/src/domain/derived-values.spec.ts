import { type ClientId, type DeviceId, type IdentityId, Secret, type SessionId, type SubjectId } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';

import { HostedQrCode } from './hosted-qr-code.js';
import { PersonHashes } from './person-hashes.js';
import { QrFrames } from './qr-frames.js';
import { RefusedDevices } from './refused-devices.js';
import { documentsOf } from './sealed-terms.js';

const secret = (text: string) => new Secret(Buffer.alloc(32, text));
const [ONE, TWO] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'] as const;

describe('the hash of a person', () => {
  const hashes = (key = 'k') => new PersonHashes(secret(key), { all: () => [ONE, TWO] as never });
  const of = (key = 'k') => [
    hashes(key).ofIdentity(ONE as IdentityId),
    hashes(key).ofSubject(ONE as SubjectId),
    hashes(key).ofIdentity(TWO as IdentityId),
  ];

  it('is 128 bits, stays the same, and is another one for each person, use and key', () => {
    for (const hash of of()) expect(hash).toMatch(/^[\w-]{22}$/);
    expect(of()).toEqual(of());
    expect(new Set([...of(), ...of('l')]).size).toBe(6);
  });

  it('is the same in every release, since tables hold it', () => {
    expect([hashes().ofIdentity(ONE as IdentityId), hashes().ofSubject(ONE as SubjectId)]).toEqual([
      'n81mBbnkKyXnsOjCq0iyYg',
      '6Vuj-Hs8NUc6b8pz67Ae2Q',
    ]);
  });

  it('is found by each subjectId of the person at a client', () => {
    const found = hashes().ofClientsSubjects('client' as ClientId, 'identity' as IdentityId);
    expect(found).toEqual([ONE, TWO].map((id) => hashes().ofSubject(id as SubjectId)));
  });
});

describe('the record of a refused device', () => {
  const hash = (session: string, device: string, key = 'k') => new RefusedDevices(secret(key)).hashOf(session as SessionId, device as DeviceId);

  it('is the same for a repeated scan, and leads to no other session or device', () => {
    expect(hash(ONE, TWO)).toMatch(/^[\w-]{43}$/);
    expect(hash(ONE, TWO)).toBe(hash(ONE, TWO));
    expect(new Set([hash(ONE, TWO), hash(TWO, ONE), hash(ONE, ONE), hash(ONE, TWO, 'l')]).size).toBe(4);
  });
});

describe('values of a session that any release must derive alike, since replicas of two releases serve it', () => {
  it('are the record of a refused device, the secret of the frames and the admission of a device', () => {
    const frames = new QrFrames(secret('k'));
    expect(new RefusedDevices(secret('k')).hashOf(ONE as SessionId, TWO as DeviceId)).toBe('00MixGWk6crMZ3qeE_ZW-id1Yva_YAajOvZuyMNnM1c');
    expect(frames.secretOf(ONE as SessionId)).toBe('IDdK42_KSTG06kZJoXevdHfVWIeg-1WRw6eWEl4Ahas');
    expect(frames.admissionOf(ONE as SessionId, TWO as DeviceId)).toBe('fjSFSPMPwl7hJo0HpGsNx1NzLKA66EoeCr-5Tnb5b9g');
  });
});

describe('the code of the hosted page', () => {
  it.each(['https://login.example', 'https://login.example///'])('returns to the page at %s, with the frame of now', (loginUrl) => {
    const frames = new QrFrames(secret('k'));
    const clock = new FixedClock();
    const payload = new HostedQrCode(frames, clock, { loginUrl, appScheme: 'countersign' }).payloadOf(ONE as SessionId, clock.now() - 7_000);
    const frame = frames.parametersAt(ONE as SessionId, 0, 7_000);
    expect(payload).toBe(`countersign://app/scan?sessionId=${ONE}&returnUrl=https%3A%2F%2Flogin.example%2F%23r&${frame}`);
  });
});

describe('the documents of a signature', () => {
  it('are the list, or the one by hash and name', () => {
    const documents = [{ name: 'a', hash: '1' }];
    expect(documentsOf({ documents, signedDataHash: 'x', signedDataName: 'y' })).toEqual(documents);
    expect(documentsOf({ signedDataHash: '2', signedDataName: 'b' })).toEqual([{ name: 'b', hash: '2' }]);
  });

  it.each([{}, { documents: [] }, { signedDataHash: '2' }, { signedDataName: 'b' }])('are missing in %j', (terms) => {
    expect(() => documentsOf(terms)).toThrow('a SIGNING session has a data hash and name');
  });
});
