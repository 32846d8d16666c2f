import { beforeAll, describe, expect, it } from '@jest/globals';

import { TrustStore } from '#signatures/pki';

import { SigningKit } from '#testkit/asic/signing-kit';
import { explainReport } from './explain-report.js';
import { verifyContainer } from './verify-container.js';

let kit: SigningKit;
let container: Buffer;
beforeAll(async () => {
  kit = await SigningKit.open();
  container = await kit.container(kit.sign(await kit.signer()));
});

describe('an explanation', () => {
  it('names the file, the signer, the times and the trust in plain words', async () => {
    const lines = explainReport(await verifyContainer(container, { trust: kit.trust, now: kit.clock.now() }));
    expect(lines).toEqual([
      'INDETERMINATE, SIGNED_DATA_NOT_FOUND: the signature is valid. The container is not complete: put the signed file into it, under the name below, before you pass it on.',
      String.raw`What   "contract & \"draft\".pdf", SHA-512 020da0f4d8a4c8bfbc98274027740061d7df52ee07091ed6595a083e0f45327bbe59424312d86f218b74ed2e25507abaf5c7a5fcf4cafcf9538b705808fd55ec`,
      'Who    "Mari-Liis Männik", PNOEE-47101010033, EE',
      'When   2026-06-01T12:00:00Z by the signer\'s device; proven to exist at 2026-06-01T12:00:05Z by "Countersign Time-Stamping Unit (TEST, not qualified)"; certificate good at 2026-06-01T12:00:05Z',
      `Trust  "Countersign Issuing CA (TEST, not qualified)" vouches for the signer, under the root "Countersign Root CA (TEST, not qualified)" (SHA-256 ${kit.trust.anchors[0]?.fingerprint ?? ''}); level CAdES_BASELINE_LT`,
    ]);
  });

  it('begins with a warning and every reason when something is wrong', async () => {
    const lines = explainReport(await verifyContainer(container, { trust: new TrustStore([]), now: kit.clock.now() }));
    expect(lines.slice(0, 3)).toEqual([
      'INDETERMINATE, NO_POE: do not rely on this container.',
      '  - the time-stamping unit is not trusted',
      "  - no chain leads from the signer's certificate to a root that you trust",
    ]);
  });

  it('of something that is no container is short', async () => {
    const lines = explainReport(await verifyContainer(Buffer.from('hello'), { trust: kit.trust, now: kit.clock.now() }));
    expect(lines[0]).toBe('TOTAL_FAILED, FORMAT_FAILURE: do not rely on this container.');
    expect(lines).toHaveLength(2);
  });
});
