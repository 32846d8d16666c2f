import { beforeAll, describe, expect, it } from '@jest/globals';

import { Certificate } from '../certificates/certificate.js';
import { boolean, contents, encode, octetString, oid, sequence, TAG } from '../der/der.js';
import { MalformedDer } from '../der/malformed-der.js';
import { OID } from '../der/oids.js';
import { type DevelopmentKit, developmentKit } from '#testkit/pki/development-kit';
import { PROFILES, testUnit } from '#testkit/pki/test-certificates';
import { type TestCrl, testCrl } from '#testkit/pki/test-crl';
import { heldAt, listedStatus, statusByLists } from './status-by-lists.js';

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

  it('is not told by a list that its CA has not signed; the others count all the same', () => {
    const forged = list({ signer: kit.pki.root, issuer: kit.pki.issuing, revoked: [kit.signer] });
    expect(status([forged])).toBeUndefined();
    for (const lists of [
      [forged, list()],
      [list(), forged],
    ])
      expect(status(lists)).toMatchObject({ status: 'good' });
  });

  it('is not told by a list about other kinds of certificates', () => {
    const authorities = encode(sequence(contents(TAG.primitive(2), Buffer.of(0xff))));
    const extensions = [sequence(oid(OID.issuingDistributionPoint), boolean(true), octetString(authorities))];
    expect(status([list({ extensions })])).toBeUndefined();
    expect(status([list({ extensions })], { certificate: kit.issuing })).toBeUndefined();
  });

  it('cannot be asked for with a list that names no issuer', () => {
    expect(() => status([Buffer.from('no list')])).toThrow(MalformedDer);
  });

  it('is not told when a fault comes up: that is no wrong list', () => {
    const fault = new TypeError('a fault');
    const certificate = Object.create(kit.signer, {
      serial: {
        get: () => {
          throw fault;
        },
      },
    }) as Certificate;
    expect(() => status([list()], { certificate })).toThrow(fault);
  });

  it('is one word where only that is wanted', () => {
    const terms = { above: [kit.issuing, kit.root], at: kit.clock.now() };
    expect(statusByLists([list({ revoked: [kit.signer] })], kit.signer, terms)).toBe('revoked');
    expect(statusByLists([list()], kit.signer, terms)).toBe('good');
    expect(statusByLists([], kit.signer, terms)).toBeUndefined();
  });
});

describe('a statement of a CA', () => {
  const [thisUpdate, nextUpdate] = [10 * HOUR, 20 * HOUR];

  it.each([
    [thisUpdate - 1, true],
    [thisUpdate, true],
    [nextUpdate, true],
    [nextUpdate + 1, false],
  ])('holds from its making to its end, and about the time before: at %i, %j', (at, held) => {
    expect(heldAt({ thisUpdate, nextUpdate }, at)).toBe(held);
  });

  it('holds about the moment of its making, even if it names an earlier end', () => {
    expect(heldAt({ thisUpdate, nextUpdate: thisUpdate - 1 }, thisUpdate)).toBe(true);
  });

  it('without an end holds for a day', () => {
    const endless = { thisUpdate, nextUpdate: undefined };
    expect([heldAt(endless, thisUpdate + 24 * HOUR), heldAt(endless, thisUpdate + 24 * HOUR + 1)]).toEqual([true, false]);
  });
});
