import { beforeAll, describe, expect, it, jest } from '@jest/globals';

import { attribute, contents, octetString, OID, TAG } from '#pki';

import { forgeContainer, type Forgery } from '../testing/forge-container.js';
import { SigningKit } from '../testing/signing-kit.js';
import { fitsSigningTime } from './check-time-stamp.js';
import { verifyContainer } from './verify-container.js';

// many signatures: a busy machine needs more than the usual five seconds
jest.setTimeout(60_000);

let kit: SigningKit;
beforeAll(async () => {
  kit = await SigningKit.open();
});

const findings = async (forgery: Forgery): Promise<readonly string[]> => {
  const report = await verifyContainer(await forgeContainer(kit, forgery), { trust: kit.trust, now: kit.clock.now() });
  return report.findings.map(({ rule, message }) => `${rule}: ${message}`);
};

const NAMED_OTHERWISE = 'signature-format: the signer is not named by issuer and serial number';

describe('the form of a signature', () => {
  it('has its signer named by issuer and serial number, in version 1 of SignerInfo (RFC 5652 §5.3)', async () => {
    expect(await findings({ signerVersion: 1 })).toEqual([]);
    expect(await findings({ signerVersion: 3 })).toEqual([NAMED_OTHERWISE]);
  });

  it.each([1, 3])('is refused with a signer who is named by the identifier of the key, version %d', async (signerVersion) => {
    const signerIdentifier: Forgery['signerIdentifier'] = ({ extensions }) => {
      const identifier = extensions.get(OID.subjectKeyIdentifier)?.value;
      if (!identifier) throw new TypeError('the profile names the key');
      return contents(TAG.primitive(0), identifier.subarray(2));
    };
    expect(await findings({ signerVersion, signerIdentifier })).toContain(NAMED_OTHERWISE);
  });

  it('has no other unsigned attribute than the time-stamp', async () => {
    const unknown = attribute('1.2.3.4', octetString(Buffer.from('anything')));
    expect(await findings({ unsigned: (standard) => [unknown, ...standard] })).toEqual([
      'signature-format: an unsigned attribute that is not known here',
    ]);
  });
});

describe('a time-stamp', () => {
  const MINUTE = 60_000;

  it('fits a signing time up to a minute after it, and seven minutes before it', () => {
    const signingTime = Date.UTC(2026, 0, 1);
    const fits = [-MINUTE, 0, 7 * MINUTE].map((offset) => fitsSigningTime(signingTime + offset, signingTime));
    const doesNot = [-MINUTE - 1, 7 * MINUTE + 1].map((offset) => fitsSigningTime(signingTime + offset, signingTime));
    expect({ fits, doesNot }).toEqual({ fits: [true, true, true], doesNot: [false, false] });
  });
});
