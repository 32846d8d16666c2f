import { beforeAll, describe, expect, it } from '@jest/globals';

import { MalformedDer } from '../der/malformed-der.js';
import { type DevelopmentKit, developmentKit } from '#testkit/pki/development-kit';
import { Certificate } from './certificate.js';
import { Untrusted } from './trust-store.js';

let kit: DevelopmentKit;
beforeAll(async () => {
  kit = await developmentKit();
});

const trusted = (der: Uint8Array): boolean => {
  try {
    return kit.trust.chain(Certificate.parse(der), [kit.issuing], kit.clock.now()).length > 0;
  } catch (error) {
    if (error instanceof Untrusted || error instanceof MalformedDer) return false;
    throw error;
  }
};

describe('a certificate', () => {
  it('is parsed once', () => {
    expect(Certificate.parse(Buffer.from(kit.signer.der))).toBe(kit.signer);
  });

  it('that was trusted before is not trusted after the change of any one byte', () => {
    const { der } = kit.signer;
    expect(trusted(der)).toBe(true);
    const wronglyTrusted: number[] = [];
    for (let at = 0; at < der.length; at += 1) {
      const changed = Buffer.from(der);
      changed[at] = (changed[at] ?? 0) ^ 0x01;
      if (trusted(changed)) wronglyTrusted.push(at);
    }
    expect(wronglyTrusted).toEqual([]);
    expect(trusted(der)).toBe(true);
  });

  it('keeps the bytes that it was read from, whatever becomes of their buffer', () => {
    const given = Buffer.from(kit.issuing.der);
    const certificate = Certificate.parse(given);
    given.fill(0);
    expect(certificate.der).toEqual(kit.pki.issuing.certificate);
    expect(() => Certificate.parse(given)).toThrow(MalformedDer);
  });
});
