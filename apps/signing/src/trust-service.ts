import type { FastifyInstance, FastifyReply } from 'fastify';

import type { CertificateStatus } from '#domain/identity';
import { type Clock, InvalidRequest, type Randomness } from '#kernel';
import { answerOcsp, answerTimeStamp, type DevelopmentPki, issueRootCrl } from '#signatures/pki';

export interface TrustServiceParts {
  readonly pki: DevelopmentPki;
  readonly certificateStatus: (serial: string) => Promise<CertificateStatus>;
  readonly clock: Clock;
  readonly randomness: Randomness;
}

/** No request of these protocols is larger. Bytes. */
const REQUEST_LIMIT = 16_384;

/**
 * The development trust service at the addresses that its certificates name, so that OpenSSL and validators can be
 * pointed at it: OCSP (RFC 6960 appendix A), time-stamps (RFC 3161 section 3.4), the root's CRL, CA certificates.
 */
export const serveTrustService = (fastify: FastifyInstance, { pki, certificateStatus, clock, randomness }: TrustServiceParts): void => {
  for (const type of ['application/ocsp-request', 'application/timestamp-query']) {
    fastify.addContentTypeParser(type, { parseAs: 'buffer', bodyLimit: REQUEST_LIMIT }, (_request, body, done) => done(null, body));
  }
  const ocsp = (request: unknown) => answerOcsp(der(request), { pki, now: clock.now(), lookUp: certificateStatus });

  fastify.post('/pki/ocsp', async ({ body }, reply) => send(reply, 'application/ocsp-response', await ocsp(body)));
  fastify.get<{ Params: { '*': string } }>('/pki/ocsp/*', async ({ params }, reply) =>
    send(reply, 'application/ocsp-response', await ocsp(Buffer.from(params['*'], 'base64'))),
  );
  fastify.post('/pki/tsa', async ({ body }, reply) =>
    send(reply, 'application/timestamp-reply', answerTimeStamp(der(body), { unit: pki.timestamping, now: clock.now(), randomness })),
  );
  fastify.get('/pki/root.crl', async (_request, reply) => send(reply, 'application/pkix-crl', issueRootCrl(pki.root, clock.now())));
  fastify.get('/pki/root.cer', async (_request, reply) => send(reply, 'application/pkix-cert', pki.root.certificate));
  fastify.get('/pki/issuing.cer', async (_request, reply) => send(reply, 'application/pkix-cert', pki.issuing.certificate));
};

const send = (reply: FastifyReply, type: string, der: Buffer): FastifyReply => reply.type(type).send(der);

/** Only the parsers above give bytes: any other body had another content type. */
const der = (body: unknown): Buffer => {
  if (Buffer.isBuffer(body)) return body;
  throw new InvalidRequest('Send the DER request with the content type of its protocol.');
};
