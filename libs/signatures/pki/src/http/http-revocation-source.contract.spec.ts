import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { AuthorityInfoAccessExtension, CRLDistributionPointsExtension } from '@peculiar/x509';

import { ServiceUnavailable } from '#kernel';

import { Certificate } from '../certificates/certificate.js';
import { trustServiceAddresses } from '../certificates/trust-service-addresses.js';
import { timestampingProfile } from '../certificates/certificate-profiles.js';
import { boolean, contents, type DerNode, encode, octetString, oid, sequence, TAG } from '../der/der.js';
import { OID } from '../der/oids.js';
import { statusIn, verifyCrl } from '../crl/crl.js';
import { answerOcsp, type CertificateState } from '../development/answer-ocsp.js';
import { issueRootCrl } from '../development/issue-root-crl.js';
import { revocationSourceContract } from '#testkit/pki/ocsp/revocation-source.contract';
import { type DevelopmentKit, developmentKit } from '#testkit/pki/development-kit';
import { type Peer, startPeer } from '#testkit/pki/peer';
import { PROFILES, testUnit, withExtensions } from '#testkit/pki/test-certificates';
import { testCrl } from '#testkit/pki/test-crl';
import { HttpRevocationSource, type RevocationSettings } from './http-revocation-source.js';

const OCSP = 'application/ocsp-response';

let kit: DevelopmentKit;
let peer: Peer;
let state: CertificateState = { status: 'good' };
beforeAll(async () => {
  kit = await developmentKit();
  peer = await startPeer(async (body, { method }) =>
    method === 'GET'
      ? { type: 'application/pkix-crl', body: issueRootCrl(kit.pki.root, kit.clock.now()) }
      : { type: OCSP, body: await answerOcsp(body, { pki: kit.pki, now: kit.clock.now(), lookUp: () => Promise.resolve(state) }) },
  );
});
afterAll(async () => {
  await peer[Symbol.asyncDispose]();
});

const asking = (settings: Partial<RevocationSettings> = {}): HttpRevocationSource =>
  new HttpRevocationSource({ ocspUrl: peer.url, clock: kit.clock, randomness: kit.randomness, pause: () => Promise.resolve(), ...settings });

/** Certificates of the trust service that say where a peer serves the root's list. */
const vouchingAt = async (rootCrl: string): Promise<readonly [Certificate, Certificate]> => {
  const profile = timestampingProfile({ ...trustServiceAddresses('http://localhost'), rootCrl });
  const one = async (): Promise<Certificate> =>
    Certificate.parse((await testUnit({ profile, issuer: kit.pki.root, now: kit.clock.now() })).certificate);
  return [await one(), await one()];
};

describe('HttpRevocationSource', () => {
  let vouching: readonly [Certificate, Certificate];
  let source: HttpRevocationSource;
  beforeAll(async () => {
    vouching = await vouchingAt(peer.url);
    source = asking();
  });
  revocationSourceContract(() => ({
    source,
    kit,
    vouching,
    say: (said) => {
      state = said;
    },
  }));
});

describe('a list', () => {
  it('fetches a list once until its end', async () => {
    const [unit, ca] = await vouchingAt(peer.url);
    const source = asking();
    const before = peer.asked();
    await source.current(unit, kit.root);
    await source.current(ca, kit.root);
    expect(peer.asked()).toBe(before + 1);
  });

  it('does not take a list that has ended, nor one of another issuer', async () => {
    const foreign = await developmentKit(kit.clock.now());
    for (const body of [issueRootCrl(kit.pki.root, kit.clock.now() - 25 * 3_600_000), issueRootCrl(foreign.pki.root, kit.clock.now())]) {
      await using stale = await startPeer(() => ({ type: 'application/pkix-crl', body }));
      const [unit] = await vouchingAt(stale.url);
      await expect(asking().current(unit, kit.root)).rejects.toThrow(ServiceUnavailable);
    }
  });

  it('asks the responder that a certificate without a list names, and the configured one when it names none', async () => {
    state = { status: 'good' };
    const signer = async (ocsp?: string): Promise<Certificate> => {
      const profile = withExtensions(PROFILES.signer(), [OID.authorityInfoAccess], ...(ocsp ? [new AuthorityInfoAccessExtension({ ocsp })] : []));
      return Certificate.parse((await testUnit({ profile, issuer: kit.pki.issuing, now: kit.clock.now() })).certificate);
    };
    const unreachable = 'http://127.0.0.1:9/';
    expect(await asking({ ocspUrl: unreachable }).current(await signer(peer.url), kit.issuing)).toMatchObject({ type: 'ocsp', status: 'good' });
    expect(await asking().current(await signer(), kit.issuing)).toMatchObject({ type: 'ocsp', status: 'good' });
  });
});

describe('a signer whose certificate names a list and no responder', () => {
  const signerAt = async (url: string, ...more: readonly AuthorityInfoAccessExtension[]): Promise<Certificate> => {
    const profile = withExtensions(PROFILES.signer(), [OID.authorityInfoAccess], new CRLDistributionPointsExtension([url]), ...more);
    return Certificate.parse((await testUnit({ profile, issuer: kit.pki.issuing, now: kit.clock.now() })).certificate);
  };
  const byList = (): HttpRevocationSource =>
    new HttpRevocationSource({ clock: kit.clock, randomness: kit.randomness, pause: () => Promise.resolve() });

  it('is judged by the list, which is fetched anew each time: the authority may publish one early', async () => {
    const revoked: Certificate[] = [];
    await using lists = await startPeer(() => ({
      type: 'application/pkix-crl',
      body: testCrl({ signer: kit.pki.issuing, now: kit.clock.now(), revoked }),
    }));
    const [signer, source] = [await signerAt(lists.url), byList()];
    const evidence = await source.ask(signer, kit.issuing);
    expect(evidence).toMatchObject({ type: 'crl', status: 'good', producedAt: kit.clock.now() });
    expect(statusIn(verifyCrl(evidence.der, kit.issuing), signer)).toBe('good');
    revoked.push(signer);
    kit.clock.advance(1000);
    expect(await source.ask(signer, kit.issuing)).toMatchObject({ type: 'crl', status: 'revoked' });
  });

  it('is not judged by a list that does not hold now', async () => {
    const now = kit.clock.now();
    await using lists = await startPeer(() => ({
      type: 'application/pkix-crl',
      body: testCrl({ signer: kit.pki.issuing, now: now - 7_200_000, nextUpdate: now }),
    }));
    await expect(byList().ask(await signerAt(lists.url), kit.issuing)).rejects.toThrow(ServiceUnavailable);
  });

  it('is judged by the responder that its certificate names or that is configured', async () => {
    state = { status: 'good' };
    const unreachable = 'http://127.0.0.1:9/';
    expect(await asking().ask(await signerAt(unreachable), kit.issuing)).toMatchObject({ type: 'ocsp' });
    const named = await signerAt(unreachable, new AuthorityInfoAccessExtension({ ocsp: peer.url }));
    expect(await byList().ask(named, kit.issuing)).toMatchObject({ type: 'ocsp' });
  });
});

describe('a signer whose certificate names a responder and a list', () => {
  const UNREACHABLE = 'http://127.0.0.1:9/';
  const source = (): HttpRevocationSource => new HttpRevocationSource({ clock: kit.clock, randomness: kit.randomness, pause: async () => undefined });
  const signerAt = async (ocsp: string, list: string): Promise<Certificate> => {
    const points = [new AuthorityInfoAccessExtension({ ocsp }), new CRLDistributionPointsExtension([list])];
    const profile = withExtensions(PROFILES.signer(), [OID.authorityInfoAccess], ...points);
    return Certificate.parse((await testUnit({ profile, issuer: kit.pki.issuing, now: kit.clock.now() })).certificate);
  };
  const revoked: Certificate[] = [];
  const startLists = (extensions: readonly DerNode[] = []): Promise<Peer> =>
    startPeer(() => ({ type: 'application/pkix-crl', body: testCrl({ signer: kit.pki.issuing, now: kit.clock.now(), revoked, extensions }) }));
  beforeEach(() => {
    state = { status: 'good' };
    revoked.length = 0;
  });

  it('is judged by the list while the responder cannot be reached, or gives no usable answer', async () => {
    await using lists = await startLists();
    await using broken = await startPeer(() => ({ type: OCSP, body: Buffer.from('closed') }));
    for (const responder of [UNREACHABLE, broken.url]) {
      const signer = await signerAt(responder, lists.url);
      expect(await source().ask(signer, kit.issuing)).toMatchObject({ type: 'crl', status: 'good', producedAt: kit.clock.now() });
      revoked.push(signer);
      expect(await source().ask(signer, kit.issuing)).toMatchObject({ type: 'crl', status: 'revoked' });
    }
  });

  it.each(['revoked', 'unknown'] as const)('is judged by the responder alone when that says %s', async (status) => {
    await using lists = await startLists();
    state = status === 'revoked' ? { status, at: kit.clock.now() } : { status };
    expect(await source().ask(await signerAt(peer.url, lists.url), kit.issuing)).toMatchObject({ type: 'ocsp', status });
    expect(lists.asked()).toBe(0);
  });

  it('is not judged when the list does not speak about it, or cannot be had either: the error names both', async () => {
    const authorities = sequence(contents(TAG.primitive(2), Buffer.of(0xff)));
    const scope = sequence(oid(OID.issuingDistributionPoint), boolean(true), octetString(encode(authorities)));
    await using lists = await startLists([scope]);
    await expect(source().ask(await signerAt(UNREACHABLE, lists.url), kit.issuing)).rejects.toThrow(/^no usable answer.*ECONNREFUSED/);
    await expect(source().ask(await signerAt(UNREACHABLE, `${peer.url}absent`), kit.issuing)).rejects.toThrow(/ECONNREFUSED.*; .*another issuer/);
  });
});

describe('a certificate of the trust service that names a list and a responder', () => {
  it('is judged by the responder while there is no list', async () => {
    state = { status: 'good' };
    const profile = withExtensions(
      PROFILES.signer(),
      [OID.authorityInfoAccess],
      new CRLDistributionPointsExtension(['http://127.0.0.1:9/']),
      new AuthorityInfoAccessExtension({ ocsp: peer.url }),
    );
    const unit = Certificate.parse((await testUnit({ profile, issuer: kit.pki.issuing, now: kit.clock.now() })).certificate);
    expect(await asking({ ocspUrl: 'http://127.0.0.1:9/' }).current(unit, kit.issuing)).toMatchObject({ type: 'ocsp', status: 'good' });
  });
});

describe('a responder', () => {
  const refused = async (source: HttpRevocationSource): Promise<string> => {
    state = { status: 'good' };
    const error: unknown = await source.ask(kit.signer, kit.issuing).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(ServiceUnavailable);
    return (error as ServiceUnavailable).reason;
  };
  const replaying = (of: { now: number }) =>
    startPeer(async (body) => ({ type: OCSP, body: await answerOcsp(body, { pki: kit.pki, now: of.now, lookUp: () => Promise.resolve(state) }) }));

  it('must give an answer that was made just now', async () => {
    await using yesterday = await replaying({ now: kit.clock.now() - 24 * 3_600_000 + 7_200_000 });
    expect(await refused(asking({ ocspUrl: yesterday.url }))).toMatch(/was not made now|had expired/);
  });

  it('must repeat the nonce, unless it is one that cannot', async () => {
    let recorded: Buffer | undefined;
    await using stock = await startPeer(async (body) => {
      recorded ??= await answerOcsp(body, { pki: kit.pki, now: kit.clock.now(), lookUp: () => Promise.resolve(state) });
      return { type: OCSP, body: recorded };
    });
    const once = asking({ ocspUrl: stock.url });
    await once.ask(kit.signer, kit.issuing);
    expect(await refused(once)).toMatch(/another nonce/);
    expect((await asking({ ocspUrl: stock.url, nonce: false }).ask(kit.signer, kit.issuing)).status).toBe('good');
  });

  it('gets the credentials at the configured address alone', async () => {
    const seen: unknown[] = [];
    await using other = await startPeer(async (body, { headers }) => {
      seen.push(headers.authorization);
      return { type: OCSP, body: await answerOcsp(body, { pki: kit.pki, now: kit.clock.now(), lookUp: () => Promise.resolve({ status: 'good' }) }) };
    });
    const profile = withExtensions(PROFILES.signer(), [OID.authorityInfoAccess], new AuthorityInfoAccessExtension({ ocsp: other.url }));
    const signer = Certificate.parse((await testUnit({ profile, issuer: kit.pki.issuing, now: kit.clock.now() })).certificate);
    const credentials = { authorization: 'Basic YTpi' };
    await asking({ ocspUrl: other.url, credentials }).ask(signer, kit.issuing);
    await asking({ ocspUrl: peer.url, credentials }).current(signer, kit.issuing);
    expect(seen).toEqual(['Basic YTpi', undefined]);
  });

  it('must have an address', async () => {
    const { ocspUrl: _, ...settings } = { ocspUrl: '', clock: kit.clock, randomness: kit.randomness };
    const unit = Certificate.parse(kit.pki.timestamping.certificate);
    await expect(async () => new HttpRevocationSource(settings).ask(unit, kit.root)).rejects.toThrow(ServiceUnavailable);
  });
});
