import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { ServiceUnavailable } from '#kernel';

import { Certificate } from '../certificates/certificate.js';
import { certificateAuthorityContract } from '#testkit/pki/certificates/certificate-authority.contract';
import { TrustStore } from '../certificates/trust-store.js';
import { DevelopmentCertificateAuthority } from '../development/development-certificate-authority.js';
import { OID } from '../der/oids.js';
import {
  certificateReply,
  type CmpBody,
  type CmpServerOptions,
  CONFIRMED,
  errorReply,
  issueFor,
  pollReply,
  startCmpServer,
} from '#testkit/pki/cmp-server';
import { type DevelopmentKit, developmentKit } from '#testkit/pki/development-kit';
import type { Peer } from '#testkit/pki/peer';
import { newKey, signingRequest } from '#testkit/pki/signing-requests';
import { PROFILES, testUnit, withExtensions } from '#testkit/pki/test-certificates';
import { CmpCertificateAuthority, type CmpSettings } from './cmp-certificate-authority.js';
import { BODY, type CmpMessage } from './cmp-message.js';
import { type CmpProtection, macProtection, signatureProtection } from './cmp-protection.js';

const SECRET = { reference: 'countersign', secret: 'correct horse battery staple' };
const HOLDER = { givenName: 'Mari-Liis', familyName: 'Männik', personalCode: '47101010033', country: 'EE' };
const KEYS = newKey['P-256']();

let kit: DevelopmentKit;
let peer: Peer | undefined;
let confirmations: (readonly [taken: boolean])[];
beforeAll(async () => {
  kit = await developmentKit();
});
afterEach(async () => {
  await peer?.[Symbol.asyncDispose]();
});

const byMac = (): CmpProtection => macProtection(SECRET, Buffer.alloc(16, 1));

const issue = (request: CmpMessage, profile = PROFILES.signer()): Promise<Certificate> =>
  issueFor(request, { issuer: kit.pki.issuing, now: kit.clock.now(), profile });

/** Issues what is asked for, and takes the confirmation. */
const answering =
  (certificate: (request: CmpMessage) => Promise<CmpBody>) =>
  async (request: CmpMessage): Promise<CmpBody> => {
    if (request.type !== BODY.certConf) return certificate(request);
    const status = request.body.members()[0]?.members()[2]?.members()[0]?.small();
    confirmations.push([status === 0]);
    return CONFIRMED;
  };
const issuing = answering(async (request) => certificateReply(0, await issue(request)));

const connect = async (server: Partial<CmpServerOptions> = {}, settings: Partial<CmpSettings> = {}): Promise<CmpCertificateAuthority> => {
  confirmations = [];
  await peer?.[Symbol.asyncDispose]();
  peer = await startCmpServer({ protection: byMac(), answer: issuing, ...server });
  return new CmpCertificateAuthority({
    url: peer.url,
    credentials: SECRET,
    trust: new TrustStore([kit.root]),
    issuers: [kit.issuing],
    clock: kit.clock,
    randomness: kit.randomness,
    pause: async () => undefined,
    ...settings,
  });
};
const enrol = (authority: CmpCertificateAuthority) => authority.issue({ csr: signingRequest(newKey['P-256']()), holder: HOLDER });
const underTest = (authority: CmpCertificateAuthority) => ({ authority, trust: new TrustStore([kit.root]), now: kit.clock.now() });

describe('DevelopmentCertificateAuthority', () => {
  certificateAuthorityContract(() => ({
    authority: new DevelopmentCertificateAuthority(kit.pki, kit.clock, kit.randomness),
    trust: new TrustStore([kit.root]),
    now: kit.clock.now(),
  }));
});

describe('CmpCertificateAuthority under a shared secret', () => {
  let authority: CmpCertificateAuthority;
  beforeEach(async () => {
    authority = await connect();
  });
  certificateAuthorityContract(() => underTest(authority));
});

describe('CmpCertificateAuthority with a certificate', () => {
  const identities = async () => {
    const [client, server] = await Promise.all(
      ['client', 'server'].map(async () => {
        const unit = await testUnit({ profile: PROFILES.responder(), issuer: kit.pki.issuing, now: kit.clock.now() });
        return { key: unit.privateKey, certificates: [Certificate.parse(unit.certificate)] as const };
      }),
    );
    if (!client || !server) throw new Error('two units');
    return { client, server };
  };

  it('signs its requests, and takes answers of the one certificate that may sign them', async () => {
    const { client, server } = await identities();
    const seen: boolean[] = [];
    const checking = signatureProtection({ ...server, answeredBy: client.certificates });
    const authority = await connect(
      {
        protection: checking,
        answer: async (request) => {
          checking.verify(request, kit.clock.now());
          seen.push(request.extraCertificates[0]?.equals(client.certificates[0]) ?? false);
          return issuing(request);
        },
      },
      { credentials: { ...client, answeredBy: server.certificates } },
    );
    await enrol(authority);
    expect(seen).toEqual([true, true]);
    expect(confirmations).toEqual([[true]]);
  });

  it('refuses an answer that a phone of the same authority has signed', async () => {
    const { client, server } = await identities();
    const phone = { key: newKey['P-256']().privateKey, certificates: [kit.signer] as const, answeredBy: [] };
    const authority = await connect({ protection: signatureProtection(phone) }, { credentials: { ...client, answeredBy: server.certificates } });
    await expect(enrol(authority)).rejects.toThrow(/signed by none of the certificates that may sign answers/);
    const unprotected = await connect({}, { credentials: { ...client, answeredBy: server.certificates } });
    await expect(enrol(unprotected)).rejects.toThrow(ServiceUnavailable);
  });
});

describe('CmpCertificateAuthority', () => {
  it('confirms the certificate, unless the authority waives that', async () => {
    await enrol(await connect());
    expect([confirmations, peer?.asked()]).toEqual([[[true]], 2]);
    await enrol(await connect({ confirmed: true }));
    expect([confirmations, peer?.asked()]).toEqual([[], 1]);
  });

  it('asks again while the authority has not decided', async () => {
    const pauses: number[] = [];
    let polls = 0;
    const undecided = answering(async (request) => {
      if (request.type === BODY.cr) {
        first = request;
        return certificateReply(3);
      }
      polls += 1;
      return polls < 3 ? pollReply(2) : certificateReply(0, await issue(first as CmpMessage));
    });
    let first: CmpMessage | undefined;
    await enrol(await connect({ answer: undecided }, { pause: async (wait) => pauses.push(wait) }));
    expect([pauses, confirmations]).toEqual([[2000, 2000], [[true]]]);
  });

  it.each([
    ['the answer that ends the polling', BODY.cp, undefined],
    ['no other answer', BODY.pollRep, /its nonce is another one/],
  ])('takes the nonce of the first request (RFC 9483 §4.4) in %s', async (_, type, refusal) => {
    let [first, polls] = [undefined as CmpMessage | undefined, 0];
    const answer = answering(async (request) => {
      if (request.type === BODY.cr) return certificateReply(((first = request), 3));
      return polls++ === 0 ? pollReply(1) : certificateReply(0, await issue(first as CmpMessage));
    });
    const recipientNonce = ({ type: asked }: CmpMessage, given: number) =>
      asked === BODY.pollReq && given === type ? first?.senderNonce : undefined;
    const enrolled = enrol(await connect({ answer, wrong: { recipientNonce } }));
    if (refusal) await expect(enrolled).rejects.toThrow(refusal);
    else expect((await enrolled).notAfter).toBeGreaterThan(kit.clock.now());
  });

  it('waits no longer than a phone can', async () => {
    const never = async (request: CmpMessage): Promise<CmpBody> => (request.type === BODY.cr ? certificateReply(3) : pollReply(86_400));
    await expect(enrol(await connect({ answer: never }))).rejects.toThrow(/has not decided yet, and wants to be asked again in 86400 s/);
  });

  it.each<[string, RegExp, Partial<CmpServerOptions>]>([
    [
      'a rejection, with its reason',
      /it refused the request: unknown profile, badCertTemplate/,
      { answer: async () => certificateReply(2, undefined, ['unknown profile'], 19) },
    ],
    [
      'a rejection that repeats the name, without the name',
      /it refused the request: no such person: … …, …$/,
      { answer: async () => certificateReply(2, undefined, ['no such person: MÄNNIK Mari-Liis, 47101010033']) },
    ],
    ['an error, with its reason', /it answered with an error: busy\?$/, { answer: async () => errorReply(['busy\n']) }],
    ['a grant without a certificate', /sent no certificate/, { answer: async () => certificateReply(0) }],
    ['another message', /message of type 19/, { answer: async () => CONFIRMED }],
    [
      'another shared secret',
      /not protected by the shared secret/,
      { protection: macProtection({ ...SECRET, secret: 'guessed' }, Buffer.alloc(16, 1)) },
    ],
    ['another transaction', /belongs to another transaction/, { wrong: { transactionId: Buffer.alloc(16, 9) } }],
    ['an answer from before, to another request', /its nonce is another one/, { wrong: { recipientNonce: () => Buffer.alloc(16, 9) } }],
    [
      'a byte changed on the way',
      /not protected by the shared secret|malformed/,
      { tamper: (message) => Buffer.concat([message.subarray(0, -1), Buffer.of((message.at(-1) ?? 0) ^ 1)]) },
    ],
    ['no CMP', /malformed/, { tamper: () => Buffer.from('<html>') }],
    [
      'a confirmation that it does not take',
      /did not take the confirmation: too late/,
      {
        answer: async (request) => (request.type === BODY.certConf ? errorReply(['too late']) : certificateReply(0, await issue(request))),
      },
    ],
  ])('gives the reason of a failure: %s', async (_, message, server) => {
    const failed = enrol(await connect(server));
    await expect(failed).rejects.toThrow(ServiceUnavailable);
    await expect(failed).rejects.toThrow(message);
  });

  it.each<[string, RegExp, (request: CmpMessage) => Promise<Certificate>]>([
    ['for another key', /for another key/, async () => kit.signer],
    [
      'to another person',
      /to another person/,
      async () => {
        const other = { givenName: 'Other', familyName: 'Person', personalCode: '38001010001', country: 'EE' };
        const { certificate } = await new DevelopmentCertificateAuthority(kit.pki, kit.clock, kit.randomness).issue({
          csr: signingRequest(KEYS),
          holder: other,
        });
        return Certificate.parse(certificate);
      },
    ],
    ['that is not for documents', /not for signing documents/, (request) => issue(request, withExtensions(PROFILES.signer(), [OID.keyUsage]))],
  ])('refuses a certificate %s, and tells the authority', async (_, message, certificate) => {
    const authority = await connect({ answer: answering(async (request) => certificateReply(0, await certificate(request))) });
    await expect(authority.issue({ csr: signingRequest(KEYS), holder: HOLDER })).rejects.toThrow(message);
    expect(confirmations).toEqual([[false]]);
  });

  it('refuses a certificate under a root that is not trusted', async () => {
    await expect(enrol(await connect({}, { trust: new TrustStore([]) }))).rejects.toThrow(
      /none of the trusted roots: check TRUST_ANCHORS and CA_ISSUERS/,
    );
    expect(confirmations).toEqual([[false]]);
  });

  it('is unavailable when the authority does not answer in time', async () => {
    await expect(enrol(await connect({}, { url: 'http://127.0.0.1:9/' }))).rejects.toThrow(/the certificate authority: ECONNREFUSED/);
  });
});
