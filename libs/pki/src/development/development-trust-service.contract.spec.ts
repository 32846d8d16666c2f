import { beforeAll, describe } from '@jest/globals';

import { Certificate } from '../certificates/certificate.js';
import { revocationSourceContract } from '../ocsp/revocation-source.contract.js';
import { type DevelopmentKit, developmentKit } from '../testing/development-kit.js';
import { timestampAuthorityContract } from '../time-stamp/timestamp-authority.contract.js';
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
