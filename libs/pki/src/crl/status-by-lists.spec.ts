import { beforeAll, describe, expect, it } from '@jest/globals';

import { Certificate } from '../certificates/certificate.js';
import { type DevelopmentKit, developmentKit } from '../testing/development-kit.js';
import { PROFILES, testUnit } from '../testing/test-certificates.js';
import { type TestCrl, testCrl } from '../testing/test-crl.js';
import { listedStatus } from './status-by-lists.js';

const HOUR = 3_600_000;

let kit: DevelopmentKit;
beforeAll(async () => {
  kit = await developmentKit();
});

const list = (otherwise: Partial<TestCrl> = {}): Buffer => testCrl({ signer: kit.pki.issuing, now: kit.clock.now(), ...otherwise });
const status = (lists: readonly Buffer[], { certificate = kit.signer, at = kit.clock.now() } = {}) =>
  listedStatus(lists, certificate, { above: [kit.issuing, kit.root], at });

describe('the status of a certificate by the lists of its CA', () => {
  it('comes from the newest list, with the certificate of the CA', () => {
    const now = kit.clock.now();
    const [old, recent] = [list({ now: now - HOUR, nextUpdate: now + HOUR }), list({ now: now + HOUR })];
    for (const lists of [
      [old, recent],
      [recent, old],
    ])
      expect(status(lists)).toMatchObject({ status: 'good', revokedAt: undefined, list: { crl: recent }, issuer: kit.issuing });
  });

  it('is revoked, with the time, as soon as one list says so', () => {
    const now = kit.clock.now();
    const revoking = list({ revoked: [kit.signer] });
    for (const lists of [
      [revoking, list({ now: now + HOUR })],
      [list({ now: now + HOUR }), revoking],
    ])
      expect(status(lists)).toMatchObject({ status: 'revoked', revokedAt: now, list: { crl: revoking } });
  });

  it('is undefined by a list that had ended, by a list of another CA, and without a list', () => {
    const now = kit.clock.now();
    const ended = list({ now: now - 2 * HOUR, nextUpdate: now - HOUR });
    for (const lists of [[ended], [list({ signer: kit.pki.root })], []]) expect(status(lists)).toBeUndefined();
  });

  it('is not good by a list from after the end of the certificate, which may leave a revoked one out (RFC 5280 §3.3)', async () => {
    const now = kit.clock.now();
    const notAfter = now + HOUR;
    const short = Certificate.parse((await testUnit({ profile: PROFILES.signer(), issuer: kit.pki.issuing, now, notAfter })).certificate);
    const [before, after] = [list({ now: notAfter }), list({ now: notAfter + 1000 })];
    expect(status([before], { certificate: short })).toMatchObject({ status: 'good' });
    expect(status([after], { certificate: short })).toBeUndefined();
    expect(status([list({ now: notAfter + 1000, revoked: [short] })], { certificate: short })).toMatchObject({ status: 'revoked' });
  });
});
