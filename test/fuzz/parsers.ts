import { basicCredentials } from '../../apps/openid/src/client-authentication.ts';
import { readCompactJws } from '../../apps/device-api/src/compact-jws.ts';
import { readElements, UnreadableDer } from '../../libs/signatures/asic/src/evidence/der-elements.ts';
import { readEvidence } from '../../libs/signatures/asic/src/evidence/read-evidence.ts';
import { readManifest } from '../../libs/signatures/asic/src/manifest.ts';
import { UnreadableContainer } from '../../libs/signatures/asic/src/zip/unreadable-container.ts';
import { readForeignManifest, UnknownManifest } from '../../libs/signatures/asic/src/verify/foreign/read-foreign-manifest.ts';
import { ZipReader } from '../../libs/signatures/asic/src/zip/zip-reader.ts';
import { readQrPayload, UnreadableQr } from '../../libs/clients/software-phone/src/qr-payload.ts';
import { asMessage, UnreadableRecord } from '../../libs/engines/message-bus/src/kafka/record.ts';
import { parseBasicCredentials } from '../../libs/service/http/src/basic-credentials.ts';
import { parseParameters } from '../../libs/service/http/src/form-body.ts';
import { parseJsonBody } from '../../libs/service/http/src/json-body.ts';
import { cookiesIn } from '../../libs/service/http/src/cookies.ts';
import { type ClientId, InvalidRequest, LocatingTokens, Secret, sha256Base64url } from '../../libs/kernel/src/index.ts';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { StaticKeyRing } from '#testkit/kernel/static-key-ring';
import { readSigningRequest } from '../../libs/signatures/pki/src/certificates/signing-request.ts';
import { Certificate } from '../../libs/signatures/pki/src/certificates/certificate.ts';
import { TrustStore } from '../../libs/signatures/pki/src/certificates/trust-store.ts';
import { readCertificateAnswer, readError, readPollAnswer } from '../../libs/signatures/pki/src/cmp/certificate-bodies.ts';
import { readMessage } from '../../libs/signatures/pki/src/cmp/cmp-message.ts';
import { readSignedData } from '../../libs/signatures/pki/src/cms/signed-data.ts';
import { BadCrl, crlIssuer, verifyCrl } from '../../libs/signatures/pki/src/crl/crl.ts';
import { DerReader } from '../../libs/signatures/pki/src/der/der-reader.ts';
import { MalformedDer } from '../../libs/signatures/pki/src/der/malformed-der.ts';
import { readOcspRequest } from '../../libs/signatures/pki/src/ocsp/ocsp-request.ts';
import { BadOcspResponse, verifyOcspResponse } from '../../libs/signatures/pki/src/ocsp/ocsp-response.ts';
import { imprintOf, readTimeStampRequest } from '../../libs/signatures/pki/src/time-stamp/time-stamp-request.ts';
import { acceptTimeStampResponse } from '../../libs/signatures/pki/src/time-stamp/time-stamp-response.ts';
import { BadTimeStamp } from '../../libs/signatures/pki/src/time-stamp/time-stamp-token.ts';
import { checkSavedEntry, EntryRefused } from '../../libs/domain/administration/src/audit/check-saved-entry.ts';
import { AUDIT_STREAM } from '../../libs/domain/administration/src/streams.ts';
import { parseCheckpoint } from '../../libs/engines/transparency-log/src/checkpoint.ts';
import { HistoryRefused } from '../../libs/engines/transparency-log/src/history-refused.ts';
import { parseLeaf, streamDigest } from '../../libs/engines/transparency-log/src/leaf.ts';
import { leavesIn } from '../../libs/engines/transparency-log/src/leaf-bundles.ts';
import { leafHash } from '../../libs/engines/transparency-log/src/merkle-hashes.ts';
import { NoteRefused, openNote, parseVerifier } from '../../libs/engines/transparency-log/src/signed-note.ts';
import { authorizationRequest } from '../../libs/domain/openid/src/domain/authorization-request.ts';
import { OAuthError } from '../../libs/domain/openid/src/domain/oauth-error.ts';
import { publishedKeysIn } from '../../libs/domain/relying-party/src/domain/client-keys.ts';
import { redirectUriFault } from '../../libs/domain/relying-party/src/domain/redirect-uri.ts';
import { judgePng } from '../../libs/domain/relying-party/src/logo/png-chunks.ts';
import { parseProperties } from '../../libs/domain/session/src/domain/properties.ts';
import { InvalidScope } from '../../libs/domain/session/src/domain/session.errors.ts';
import { ReachableNetworks } from '../../libs/domain/webhook/src/domain/reachable-networks.ts';
import { webhookUrlFault } from '../../libs/domain/webhook/src/domain/webhook-url.ts';
import { readStatus } from '../../libs/domain/session/src/status/redis/stored-status.ts';
import { corpusOf } from './inputs.ts';

/** Several reads of the same input. Each must end by itself: with a result, or with one of the refusals that it documents. */
export interface FuzzedParser {
  readonly reads: readonly ((input: Buffer) => unknown)[];
  /** The classes of the errors that the reads may throw. */
  readonly refusals: readonly (abstract new (...parts: never[]) => Error)[];
}

const LIMIT = 1 << 20;
const codes = new LocatingTokens(new StaticKeyRing([{ id: 'k1', key: new Secret(Buffer.alloc(32, 1)) }]), 'authorization-code');
const networks = new ReachableNetworks([]);
const client = {
  clientId: '00000000-0000-4000-8000-000000000001' as ClientId,
  name: 'Shop',
  redirectUris: [],
  allowedAttributes: ['name'],
  allowedPredicates: ['ageOver*'],
  dynamicQr: false,
  enabled: true,
};

/** A request of OpenID Connect that keeps the rules. */
const REQUEST = { response_type: 'code', scope: 'openid profile', code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' };

/** The first two inputs of that corpus: the CA and the certificate that the others are about. */
const [issuer, certificate] = corpusOf('trust-services')
  .slice(0, 2)
  .map((der) => Certificate.parse(der)) as [Certificate, Certificate];
const stamped = Buffer.from('signature');
const timeStampChecks = {
  request: { hash: 'sha256', imprint: imprintOf('sha256', stamped), certificateRequested: true },
  data: stamped,
  clock: new FixedClock(),
  trust: new TrustStore([issuer]),
  pool: [],
} as const;

/** Of a record of the bus about the subject `one`. */
const ATTRIBUTES = Object.fromEntries(
  Object.entries({ specversion: '1.0', id: '1', source: '/sessions', type: 'session.completed', subject: 'one', time: 'now', esrevision: '3' }).map(
    ([name, value]) => [`ce_${name}`, Buffer.from(value)],
  ),
);

/** The key of the documentation of golang.org/x/mod/sumdb/note, and the log of the checkpoints in the corpus. */
const NOTE_KEY = parseVerifier('PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW');
const LOG = 'log.example';

/** An auditor's file: what is no JSON does not come so far. */
const jsonIn = (input: Buffer): unknown => {
  try {
    return JSON.parse(input.toString());
  } catch {
    return input.toString();
  }
};

/** Checks a saved entry by a checkpoint over one leaf. */
const checkEntry = (entry: unknown, leaf = 'audit'): unknown =>
  checkSavedEntry(entry, { origin: LOG, size: 1, root: leafHash(leaf), at: 0, heads: [], extensions: [], note: '' });

/** An entry whose data are the input, under a leaf that has their hash: what only the publisher could make. */
const checkPublished = (input: Buffer): unknown => {
  const data = input.toString();
  const leaf = `audit ${streamDigest(AUDIT_STREAM)} 0 AdminChangeBegun id mac ${sha256Base64url(data)}`;
  return checkEntry(
    { ...Object(jsonIn(input)), sequence: 0, phase: 'BEGUN', proof: { state: 'PROVEN', leafIndex: 0, leaf, hashes: [], data } },
    leaf,
  );
};

const base64url = (input: Buffer): string => input.toString('base64url');
const latin1 = (input: Buffer): string => input.toString('latin1');

/** Every parser of foreign input, by the name of its file in `corpus`. */
export const PARSERS: Readonly<Record<string, FuzzedParser>> = {
  authorization: {
    reads: [
      (input) => parseParameters(input.toString()),
      (input) => authorizationRequest({ ...REQUEST, ...parseParameters(latin1(input)) }, 'https://rp.example/', client),
      (input) => authorizationRequest({ ...REQUEST, claims: input.toString() }, 'https://rp.example/', client),
    ],
    refusals: [InvalidRequest, OAuthError],
  },
  basic: {
    reads: [
      (input) => parseBasicCredentials(latin1(input)),
      (input) => parseBasicCredentials(`Basic ${input.toString('base64')}`),
      (input) => basicCredentials(latin1(input)),
      (input) => basicCredentials(`Basic ${input.toString('base64')}`),
    ],
    refusals: [],
  },
  'client-keys': {
    reads: [(input) => publishedKeysIn(input.toString()), (input) => publishedKeysIn(`{"keys":[${input.toString()}]}`)],
    refusals: [],
  },
  codes: { reads: [(input) => codes.parse(latin1(input)), (input) => codes.parse(base64url(input))], refusals: [] },
  cookies: { reads: [(input) => cookiesIn(latin1(input), 'svc_portal')], refusals: [] },
  csr: { reads: [readSigningRequest], refusals: [InvalidRequest] },
  der: {
    reads: [(input) => DerReader.parse(input, LIMIT), (input) => readSignedData(input, LIMIT), Certificate.parse, readElements],
    refusals: [MalformedDer, UnreadableDer],
  },
  evidence: { reads: [(input) => readEvidence(new Blob([Uint8Array.from(input)]))], refusals: [] },
  history: {
    reads: [
      (input) => leavesIn(input).map(parseLeaf),
      (input) => openNote(input.toString(), [NOTE_KEY]),
      (input) => parseCheckpoint(input.toString(), LOG),
      (input) => parseVerifier(input.toString()),
      (input) => checkEntry(jsonIn(input)),
      checkPublished,
    ],
    refusals: [NoteRefused, HistoryRefused, EntryRefused],
  },
  json: { reads: [(input) => parseJsonBody(input, 'application/json')], refusals: [InvalidRequest] },
  jws: { reads: [(input) => readCompactJws(latin1(input)), (input) => readCompactJws(`${base64url(input)}.e30.AA`)], refusals: [] },
  png: { reads: [judgePng], refusals: [InvalidRequest] },
  properties: {
    reads: [(input) => parseProperties(latin1(input), client), (input) => parseProperties(base64url(input), client)],
    refusals: [InvalidRequest, InvalidScope],
  },
  records: {
    reads: [
      (value) => asMessage({ key: Buffer.from('one'), value, headers: ATTRIBUTES }),
      (input) => asMessage({ key: input, value: Buffer.from('{}'), headers: { ...ATTRIBUTES, ce_subject: input, ce_traceparent: input } }),
      (input) => asMessage({ key: Buffer.from('one'), value: Buffer.from('{}'), headers: { ...ATTRIBUTES, ce_esrevision: input } }),
      (input) => readStatus(input.toString()),
    ],
    refusals: [UnreadableRecord],
  },
  'trust-services': {
    reads: [
      (input) => crlIssuer(input),
      (input) => verifyCrl(input, issuer),
      readOcspRequest,
      (input) => verifyOcspResponse(input, { certificate, issuer }),
      readTimeStampRequest,
      (input) => acceptTimeStampResponse(input, timeStampChecks),
      (input) => readCertificateAnswer(readMessage(input).body),
      (input) => readError(readMessage(input).body),
      (input) => readPollAnswer(readMessage(input).body),
    ],
    refusals: [MalformedDer, BadCrl, BadOcspResponse, BadTimeStamp],
  },
  urls: {
    reads: [
      (input) => redirectUriFault(input.toString()),
      (input) => webhookUrlFault(input.toString(), networks),
      (input) => readQrPayload(input.toString(), 'countersign'),
    ],
    refusals: [UnreadableQr],
  },
  xml: { reads: [readManifest, readForeignManifest], refusals: [UnknownManifest] },
  zip: {
    reads: [
      async (input) => {
        await using zip = await ZipReader.open(input);
        for (const entry of zip.entries) await zip.read(entry, LIMIT);
      },
    ],
    refusals: [UnreadableContainer],
  },
};
