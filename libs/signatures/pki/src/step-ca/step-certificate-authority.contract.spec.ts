import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { Name } from '@peculiar/x509';

import { ServiceUnavailable } from '#kernel';

import { Certificate } from '../certificates/certificate.js';
import { certificateAuthorityContract } from '#testkit/pki/certificates/certificate-authority.contract';
import { personName } from '../certificates/certificate-profiles.js';
import { TrustStore } from '../certificates/trust-store.js';
import { raw } from '../der/der.js';
import { OID } from '../der/oids.js';
import { type DevelopmentKit, developmentKit } from '#testkit/pki/development-kit';
import { newKey, signingRequest } from '#testkit/pki/signing-requests';
import { type StepCaServer, type StepCaServerOptions, startStepCaServer, stepCaAnswer } from '#testkit/pki/step-ca-server';
import { PROFILES, withExtensions } from '#testkit/pki/test-certificates';
import { StepCertificateAuthority, type StepCaSettings } from './step-certificate-authority.js';

const HOLDER = { givenName: 'Mari-Liis', familyName: 'Männik', personalCode: '47101010033', country: 'EE' };
const KEYS = newKey['P-256']();
const PROVISIONER = { name: 'countersign', keyId: 'a key' };

let kit: DevelopmentKit;
let server: StepCaServer | undefined;
beforeAll(async () => {
  kit = await developmentKit();
});
afterEach(async () => {
  await server?.[Symbol.asyncDispose]();
});

const connect = async (options: Partial<StepCaServerOptions> = {}, settings: Partial<StepCaSettings> = {}): Promise<StepCertificateAuthority> => {
  await server?.[Symbol.asyncDispose]();
  const provisioner = { ...PROVISIONER, publicKey: KEYS.publicKey };
  server = await startStepCaServer({ provisioner, issuer: kit.pki.issuing, now: () => kit.clock.now(), ...options });
  return new StepCertificateAuthority({
    url: server.url,
    provisioner: { ...PROVISIONER, key: KEYS.privateKey },
    trust: new TrustStore([kit.root]),
    issuers: [],
    clock: kit.clock,
    randomness: kit.randomness,
    ...settings,
  });
};
const enrol = (authority: StepCertificateAuthority) => authority.issue({ csr: signingRequest(newKey['P-256']()), holder: HOLDER });

describe('StepCertificateAuthority', () => {
  let authority: StepCertificateAuthority;
  beforeEach(async () => {
    authority = await connect();
  });
  certificateAuthorityContract(() => ({ authority, trust: new TrustStore([kit.root]), now: kit.clock.now() }));

  it('permits one call by a token that ends within a minute, for that person and that request', async () => {
    await enrol(authority);
    const [{ claims = {} } = {}] = server?.calls ?? [];
    expect(claims).toMatchObject({ iss: 'countersign', sub: 'PNOEE-47101010033' });
    expect(Number(claims['exp']) - Number(claims['iat'])).toBe(60);
    expect(Object.keys(claims['cnf'] as object)).toEqual(['x5rt#S256']);
  });

  it('takes no name from the request, and lets the token permit the one that a phone wrote into it', async () => {
    const authority = await connect();
    const csr = signingRequest(newKey['P-256'](), { subject: raw(Buffer.from(new Name('CN=Chrome\\, Linux').toArrayBuffer())) });
    const { certificate } = await authority.issue({ csr, holder: HOLDER });
    expect(Certificate.parse(certificate).subject).toEqual(Buffer.from(personName(HOLDER).toArrayBuffer()));
    expect(server?.calls[0]?.claims['sans']).toEqual(['Chrome, Linux']);
  });

  it('needs the certificates in between by CA_ISSUERS, when the answer leaves them out', async () => {
    await expect(enrol(await connect({ above: [] }))).rejects.toThrow(/none of the trusted roots: check TRUST_ANCHORS and CA_ISSUERS/);
    await enrol(await connect({ above: [] }, { issuers: [kit.issuing] }));
  });

  it.each<[string, RegExp, Partial<StepCaServerOptions>, Partial<StepCaSettings>]>([
    [
      'a refusal, with the words of the authority, of one line and without the name',
      /^the certificate authority: HTTP status 403: no … …, …\?here$/,
      { answer: () => stepCaAnswer(403, { status: 403, message: 'no MÄNNIK mari-liis, 47101010033\nhere' }) },
      {},
    ],
    [
      'a provisioner that is not known',
      /HTTP status 401: the provisioner is not known/,
      {},
      { provisioner: { ...PROVISIONER, keyId: '', key: KEYS.privateKey } },
    ],
    [
      'a key of another provisioner',
      /HTTP status 401: the token is not signed by its key/,
      {},
      { provisioner: { ...PROVISIONER, key: newKey['P-256']().privateKey } },
    ],
    ['a clock that is wrong', /HTTP status 401: the token has ended/, { now: () => kit.clock.now() + 3_600_000 }, {}],
    ['no certificate', /it sent no certificate/, { answer: () => stepCaAnswer(201, { certChain: 'none' }) }, {}],
    ['no JSON', /it sent no certificate/, { answer: () => ({ type: 'application/json', status: 201, body: Buffer.from('<html>') }) }, {}],
    ['a page', /content type "text\/html" instead of/, { answer: () => ({ type: 'text/html', status: 201, body: Buffer.from('<html>') }) }, {}],
    ['a malformed certificate', /its answer is malformed/, { answer: () => stepCaAnswer(201, { certChain: ['AAAA'] }) }, {}],
    ['no answer in time', /no answer within 50 ms/, { answer: () => new Promise(() => undefined) }, { timeout: 50 }],
  ])('gives the reason of a failure: %s', async (_, message, options, settings) => {
    const failed = enrol(await connect(options, settings));
    await expect(failed).rejects.toThrow(ServiceUnavailable);
    await expect(failed).rejects.toThrow(message);
  });

  it.each<[string, RegExp, () => Partial<StepCaServerOptions>]>([
    [
      'for another key',
      /for another key/,
      () => ({ answer: ({ path }) => (path === '/1.0/sign' ? stepCaAnswer(201, { certChain: [kit.signer.pem] }) : undefined) }),
    ],
    ['that is not for documents', /not for signing documents/, () => ({ profile: withExtensions(PROFILES.signer(), [OID.keyUsage]) })],
  ])('refuses a certificate %s, and has it revoked', async (_, message, options) => {
    await expect(enrol(await connect(options()))).rejects.toThrow(message);
    const [, revoked] = server?.calls ?? [];
    expect(revoked).toMatchObject({ path: '/1.0/revoke', body: { passive: true, reasonCode: 4 } });
    expect(revoked?.claims['sub']).toBe(revoked?.body['serial']);
  });

  it('says so when a certificate that it refuses cannot be revoked', async () => {
    const busy = stepCaAnswer(503, { status: 503, message: 'busy' });
    const other = stepCaAnswer(201, { certChain: [Certificate.parse(kit.pki.issuing.certificate).pem] });
    const failed = enrol(await connect({ answer: ({ path }) => (path === '/1.0/sign' ? other : busy) }));
    await expect(failed).rejects.toThrow(/for another key\. It is not revoked: HTTP status 503: busy$/);
  });
});
