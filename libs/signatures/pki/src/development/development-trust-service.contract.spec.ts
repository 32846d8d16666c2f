import { beforeAll, describe } from '@jest/globals';

import { Certificate } from '../certificates/certificate.js';
import { revocationSourceContract } from '#testkit/pki/ocsp/revocation-source.contract';
import { type DevelopmentKit, developmentKit } from '#testkit/pki/development-kit';
import { timestampAuthorityContract } from '#testkit/pki/time-stamp/timestamp-authority.contract';
import type { CertificateState } from './answer-ocsp.js';
import { DevelopmentRevocationSource } from './development-revocation-source.js';
import { DevelopmentTimestampAuthority } from './development-timestamp-authority.js';

let kit: DevelopmentKit;
let state: CertificateState = { status: 'good' };
beforeAll(async () => {
  kit = await developmentKit();
});

describe('DevelopmentTimestampAuthority', () => {
  timestampAuthorityContract(() => ({ authority: new DevelopmentTimestampAuthority(kit.pki, kit.clock, kit.randomness), kit, tolerance: 0 }));
});

describe('DevelopmentRevocationSource', () => {
  let source: DevelopmentRevocationSource;
  beforeAll(() => {
    source = new DevelopmentRevocationSource(kit.pki, () => Promise.resolve(state), kit.clock, kit.randomness);
  });
  revocationSourceContract(() => ({
    source,
    kit,
    vouching: [Certificate.parse(kit.pki.timestamping.certificate), kit.issuing],
    say: (said) => {
      state = said;
    },
  }));
});
