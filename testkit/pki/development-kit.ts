import { SystemRandomness } from '#kernel';
import { FixedClock } from '../kernel/fixed-clock.js';

import { Certificate } from '#signatures/pki';
import { TrustStore } from '#signatures/pki';
import { type DevelopmentPki, openDevelopmentPki } from '#signatures/pki';
import { inTemporaryFolder } from './temporary-folder.js';
import { PROFILES, testUnit } from './test-certificates.js';

/** A development trust service of its own, with its certificates parsed. Its keys are in memory only. */
export interface DevelopmentKit {
  readonly pki: DevelopmentPki;
  readonly clock: FixedClock;
  readonly randomness: SystemRandomness;
  readonly trust: TrustStore;
  readonly root: Certificate;
  readonly issuing: Certificate;
  readonly signer: Certificate;
}

export const developmentKit = async (at = Date.UTC(2026, 5, 1, 12)): Promise<DevelopmentKit> => {
  const clock = new FixedClock(at);
  const randomness = new SystemRandomness();
  const pki = await inTemporaryFolder((keyDirectory) =>
    openDevelopmentPki({ keyDirectory, baseUrl: 'http://localhost:3000', guarded: false, clock, randomness }),
  );
  const root = Certificate.parse(pki.root.certificate);
  const { certificate } = await testUnit({ profile: PROFILES.signer(), issuer: pki.issuing, now: at });
  return {
    pki,
    clock,
    randomness,
    trust: new TrustStore([root]),
    root,
    issuing: Certificate.parse(pki.issuing.certificate),
    signer: Certificate.parse(certificate),
  };
};
