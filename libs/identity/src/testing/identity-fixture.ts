import { generateKeyPairSync } from 'node:crypto';

import { FixedClock, type IdentityId, type RingKey, Secret, sha256Base64url, StaticKeyRing, SystemRandomness } from '#kernel';
import { SqliteEventStore } from '#event-store';

import type { PersonalData } from '../domain/personal-data.js';
import type { ErasureStep } from '../erasure/erasure-step.js';
import { type IdentityParts, identityUseCases } from '../identity-use-cases.js';
import { CertificateAuthority } from '../ports/certificate-authority.js';

export const MARI: PersonalData = { givenName: 'Mari', familyName: 'Maasikas', personalCode: '47101010033', dateOfBirth: '1971-01-01', country: 'EE' };

/** What a phone would send for a PIN. */
export const pinProof = (pin: string): string => sha256Base64url(`the phone's key ${pin}`);

/** A certificate authority of two random numbers; the real one is proven in libs/pki. */
class PaperAuthority extends CertificateAuthority {
  readonly #randomness = new SystemRandomness();
  issued = 0;

  override async issue() {
    this.issued++;
    const serial = this.#randomness.bytes(16).toString('hex');
    return { certificate: Buffer.from(`certificate ${serial}`), chain: [Buffer.from('issuing CA'), Buffer.from('root')], serial, notAfter: Date.UTC(2028, 0, 1) };
  }
}

/** The use cases over a real store. */
export const identityFixture = (path = ':memory:', furtherErasures: readonly ErasureStep[] = []) => {
  const clock = new FixedClock();
  const store = new SqliteEventStore({ path, clock });
  const certificateAuthority = new PaperAuthority();
  const randomness = new SystemRandomness();
  const parts: IdentityParts = {
    eventStore: store,
    clock,
    randomness,
    keys: { token: ring('token'), pin: ring('pin'), data: ring('data'), subject: key('subject') },
    settings: { environment: 'test' },
    certificateAuthority,
  };
  const useCases = identityUseCases(parts, furtherErasures);
  const enrol = async (identityId: IdentityId, activationCode?: string) => {
    const code = activationCode ?? (await useCases.issueActivationCode.execute(identityId)).activationCode.reveal();
    return useCases.enrolDevice.execute({ ...enrolmentRequest(), activationCode: code });
  };
  /** The same use cases in another process, as far as they know. */
  const replica = () => identityUseCases(parts, furtherErasures);
  return { ...useCases, parts, clock, store, randomness, certificateAuthority, enrol, replica };
};

export const enrolmentRequest = () => ({
  activationCode: '',
  name: "Mari's phone",
  platform: 'Android 16',
  pinProof: pinProof('1234'),
  authenticationKey: generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' }),
  signingCsr: Buffer.from('a request'),
});

const key = (id: string): RingKey => ({ id, key: new Secret(Buffer.alloc(32, id)) });
const ring = (id: string) => new StaticKeyRing([key(id)]);
