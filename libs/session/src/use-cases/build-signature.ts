import { buildContainer, CertificateNotGood, type CollectEvidence, ContainerRefused } from '#asic';
import { type Clock, epochSeconds, type Sealer, type SessionId } from '#kernel';
import { StreamTombstoned } from '#event-store';
import type { ReadPersonalData, ReadSigningCertificate } from '#identity';
import type { TrustStore } from '#pki';

import type { Lifetimes } from '../domain/lifetimes.js';
import type { SealedScan, SealedTerms, SigningResult } from '../domain/sealed-terms.js';
import type { Approval, Scan, StartedSession, Terms } from '../domain/session.js';
import { type Sessions, sessionStream } from './sessions.js';
import type { SigningResults } from './signing-results.js';

export interface BuildSignatureParts {
  readonly sessions: Sessions;
  readonly results: SigningResults;
  readonly readPersonalData: ReadPersonalData;
  readonly readSigningCertificate: ReadSigningCertificate;
  readonly collectEvidence: CollectEvidence;
  readonly trust: TrustStore;
  readonly sealer: Sealer;
  readonly lifetimes: Lifetimes;
  readonly clock: Clock;
}

type Approved = StartedSession & { readonly status: 'SCANNED'; readonly approval: Approval };

/**
 * From the user's approval to the finished container. May be killed anywhere and repeated: the first result that was
 * kept is the one that is shown, and a session that has ended shows none (signing.md 5 of the decision papers).
 */
export class BuildSignature {
  constructor(private readonly parts: BuildSignatureParts) {}

  /** Throws ServiceUnavailable while a trust service is away: come again, until the session's deadline has passed. */
  async execute(sessionId: SessionId): Promise<void> {
    const { sessions, results, lifetimes } = this.parts;
    const session = await sessions.find(sessionId);
    if (session?.status === 'CANCELLED') return results.discard(sessionId);
    if (!session || !isApproved(session)) return;
    try {
      if (!(await results.read(sessionId))) await results.keep(sessionId, await this.#sign(sessionId, session));
      await sessions.handle(sessionId, { type: 'FinishSigning', resultTtl: lifetimes.result });
    } catch (error) {
      await this.#giveUp(sessionId, error);
    }
  }

  /** A refusal is for good: the session is cancelled, and then nothing can become its result any more. */
  async #giveUp(sessionId: SessionId, error: unknown): Promise<void> {
    const { sessions, results } = this.parts;
    const forGood = error instanceof CertificateNotGood || error instanceof ContainerRefused || error instanceof PersonErased;
    if (forGood) await sessions.handle(sessionId, { type: 'AbandonSigning', reason: error instanceof PersonErased ? 'ERASED' : 'SIGNING_FAILED' });
    const session = await sessions.find(sessionId);
    if (session?.status === 'CANCELLED') await results.discard(sessionId);
    if (!forGood && !(error instanceof StreamTombstoned) && session?.status === 'SCANNED') throw error;
  }

  async #sign(sessionId: SessionId, { terms, scan, approval }: Approved): Promise<SigningResult> {
    const { collectEvidence, readSigningCertificate, trust, clock } = this.parts;
    const { texts, shown } = this.#unseal(sessionId, terms, scan);
    const person = await this.parts.readPersonalData.execute(scan.identityId);
    if (!person) throw new PersonErased();
    const { certificate, chain } = await readSigningCertificate.execute(scan);
    const signature = Buffer.from(approval.signature, 'base64');
    const evidence = await collectEvidence.execute({ signature, certificate, chain, signingTime: shown.signingTime });
    const container = await buildContainer({
      manifest: shown.manifest,
      toBeSigned: shown.toBeSigned,
      signature,
      certificate,
      chain,
      evidence,
      signingTime: shown.signingTime,
      trust,
      now: clock.now(),
    });
    return {
      container: container.toString('base64'),
      ...texts,
      signingTime: epochSeconds(shown.signingTime),
      name: `${person.givenName} ${person.familyName}`,
      personalCode: person.personalCode,
      ...(person.dateOfBirth !== undefined && { dateOfBirth: person.dateOfBirth }),
      country: person.country,
    };
  }

  #unseal(sessionId: SessionId, terms: Terms, scan: Scan) {
    const context = sessionStream(sessionId);
    const { signedDataHash, signedDataName } = this.parts.sealer.open<SealedTerms>(terms.sealed, context);
    const { manifest, toBeSigned, signingTime } = this.parts.sealer.open<SealedScan>(scan.sealed, context);
    if (signedDataHash === undefined || signedDataName === undefined || manifest === undefined || signingTime === undefined) {
      throw new Error('a scanned signature has data and manifest');
    }
    const shown = { manifest: Buffer.from(manifest, 'base64'), toBeSigned: Buffer.from(toBeSigned, 'base64'), signingTime };
    return { texts: { signedDataHash, signedDataName }, shown };
  }
}

class PersonErased extends Error {}

const isApproved = (session: StartedSession): session is Approved => session.status === 'SCANNED' && session.approval !== undefined;
