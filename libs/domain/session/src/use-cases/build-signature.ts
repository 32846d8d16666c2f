import {
  type ArchiveStamper,
  assembleSignature,
  buildContainer,
  CertificateNotGood,
  type CollectEvidence,
  type ContainerOrder,
  ContainerRefused,
  firstArchiveOf,
  namesDocuments,
  type SignatureParts,
} from '#signatures/asic';
import { type Clock, epochSeconds, type Sealer, ServiceUnavailable, type SessionId } from '#kernel';
import { StreamTombstoned, type UnitOfWork } from '#engines/event-store';
import { completeDateOfBirth, type FindRevocation, fullNameOf, type ReadPersonalData, type ReadSigningCertificate } from '#domain/identity';
import type { TrustStore } from '#signatures/pki';

import type { Lifetimes } from '../domain/lifetimes.js';
import { documentsOf, type SealedTerms, type SigningResult } from '../domain/sealed-terms.js';
import type { Approval, Scan, StartedSession } from '../domain/session.js';
import type { SessionTerms } from '../domain/session.events.js';
import type { Sessions } from '../repositories/sessions.js';
import { sessionStream } from '../streams.js';
import type { SigningResults, StoredSignature } from '../repositories/signing-results.js';
import type { CheckApproval } from '../approval/check-approval.js';

export interface BuildSignatureDependencies {
  readonly unitOfWork: UnitOfWork;
  readonly sessions: Sessions;
  readonly results: SigningResults;
  readonly readPersonalData: ReadPersonalData;
  readonly readSigningCertificate: ReadSigningCertificate;
  readonly checkApproval: CheckApproval;
  readonly findRevocation: FindRevocation;
  readonly collectEvidence: CollectEvidence;
  /** Absent: containers get no archive time-stamp. */
  readonly archiveStamper?: ArchiveStamper | undefined;
  readonly trust: TrustStore;
  readonly sealer: Sealer;
  readonly lifetimes: Lifetimes;
  readonly clock: Clock;
  readonly refusals: ContainerRefusals;
}

/** Tells the operator about each container that cannot be built, now or later. */
export interface ContainerRefusals {
  /** `rule`: for counting. `reason`: the finding in words; holds no personal data. */
  refused(sessionId: SessionId, refusal: { readonly rule: string; readonly reason: string }): void;
}

/** What the phone has shown, and its signature. */
interface Shown {
  readonly manifest: Buffer;
  /** Epoch milliseconds. */
  readonly signingTime: number;
  readonly parts: Omit<SignatureParts, 'evidence'> & { readonly signature: Buffer };
}

type Approved = StartedSession & { readonly status: 'SCANNED'; readonly approval: Approval };

/**
 * Builds the container of a signature that the user has approved. It may be interrupted anywhere and repeated: the first
 * stored result stays, and a session that has ended shows none (specification/signing.md#from-scan-to-result).
 */
export class BuildSignature {
  constructor(private readonly dependencies: BuildSignatureDependencies) {}

  /**
   * To be called once the session was approved or cancelled. Throws ServiceUnavailable while a trust service is unavailable, and while reads do
   * not show the approval yet; repeat it until the session's deadline.
   */
  async execute(sessionId: SessionId): Promise<void> {
    const { sessions, results } = this.dependencies;
    const session = await sessions.find(sessionId);
    if (session?.status === 'CANCELLED') return results.discard(sessionId);
    if (session?.status === 'PENDING' || (session?.status === 'SCANNED' && !isApproved(session)))
      throw new ServiceUnavailable('the approval cannot be read yet');
    if (!session || !isApproved(session)) return;
    try {
      const stored = await results.find(sessionId);
      if (!stored.result) await results.store(sessionId, await this.#sign(sessionId, session, stored));
      if (!(await this.#finish(sessionId, session))) await results.discard(sessionId);
    } catch (error) {
      await this.#giveUp(sessionId, session, error);
    }
  }

  #isRevoked({ deviceId }: Scan): Promise<boolean> {
    const { unitOfWork, findRevocation } = this.dependencies;
    return unitOfWork.run((streams) => findRevocation.execute(streams, deviceId));
  }

  /** Whether the session shows the result. It is cancelled when the phone was revoked before. */
  #finish(sessionId: SessionId, { scan: { deviceId } }: Approved): Promise<boolean> {
    const { unitOfWork, sessions, findRevocation, lifetimes } = this.dependencies;
    return unitOfWork.run(async (streams) => {
      const [session, isRevoked] = await Promise.all([sessions.in(streams, sessionId), findRevocation.execute(streams, deviceId)]);
      session.decide(
        isRevoked ? { type: 'EndOfDevice', deviceId, reason: 'DEVICE_REVOKED' } : { type: 'FinishSigning', resultTtl: lifetimes.result },
      );
      return session.state.status === 'COMPLETED';
    });
  }

  /** A permanent refusal cancels the session, after which no result can be stored. */
  async #giveUp(sessionId: SessionId, { scan }: Approved, error: unknown): Promise<void> {
    const { sessions, results, refusals } = this.dependencies;
    const refusal = refusalOf(error);
    if (error instanceof CertificateNotGood && (await this.#isRevoked(scan))) {
      // The certificate was revoked with the phone.
      await sessions.handle(sessionId, { type: 'EndOfDevice', deviceId: scan.deviceId, reason: 'DEVICE_REVOKED' });
    } else if (refusal) {
      await sessions.handle(sessionId, { type: 'AbandonSigning', reason: 'SIGNING_FAILED', finding: refusal.reason });
      refusals.refused(sessionId, refusal);
    }
    const erased = error instanceof PersonErased;
    if (erased) await sessions.handle(sessionId, { type: 'AbandonSigning', reason: 'ERASED' });
    const session = await sessions.find(sessionId);
    if (session?.status === 'CANCELLED') await results.discard(sessionId);
    if (!refusal && !erased && !(error instanceof StreamTombstoned) && session?.status === 'SCANNED') throw error;
  }

  async #sign(sessionId: SessionId, { terms, scan }: Approved, stored: StoredSignature): Promise<SigningResult> {
    const { checkApproval, readSigningCertificate, trust, clock } = this.dependencies;
    const { texts, shown } = this.#unseal(sessionId, terms, stored);
    const person = await this.dependencies.readPersonalData.execute(scan.identityId);
    if (!person) throw new PersonErased();
    const { certificate, chain } = await readSigningCertificate.execute(scan);
    // A confirmation stores the phone's signature first: where none is stored, no phone has confirmed, and nothing verifies.
    const { signature: value = '' } = stored;
    const refusal = await checkApproval.refusalOfSignature(sessionId, scan, shown.toBeSigned.toString('base64'), value);
    if (refusal !== undefined) throw new ApprovalRefused(refusal);
    const dateOfBirth = completeDateOfBirth(person);
    const parts = { toBeSigned: shown.toBeSigned, signature: Buffer.from(value, 'base64'), certificate, chain };
    const proven = await this.#prove(sessionId, stored, { ...shown, parts });
    const container = await buildContainer({ manifest: shown.manifest, ...proven, signingTime: shown.signingTime, trust, now: clock.now() });
    return {
      container: container.toString('base64'),
      ...texts,
      signingTime: epochSeconds(shown.signingTime),
      name: fullNameOf(person),
      personalCode: person.personalCode,
      ...(dateOfBirth !== undefined && { dateOfBirth }),
      country: person.country,
    };
  }

  /** The signature with its proof. Each time-stamp is bought once, however often this is repeated. */
  async #prove(sessionId: SessionId, stored: StoredSignature, shown: Shown): Promise<Pick<ContainerOrder, 'signature' | 'level' | 'archive'>> {
    const { archiveStamper, results } = this.dependencies;
    if (!archiveStamper) return { signature: await this.#assemble(sessionId, stored, shown), level: 'LT' };
    const { manifest } = shown;
    let { archived } = stored;
    if (!archived) {
      const cms = await this.#assemble(sessionId, stored, shown);
      archived = await results.archive(sessionId, { cms, timeStamp: await archiveStamper.buy(firstArchiveOf(manifest, cms)) });
    }
    const { cms, timeStamp } = archived;
    return { signature: cms, level: 'LTA', archive: await archiveStamper.prove(firstArchiveOf(manifest, cms), timeStamp) };
  }

  async #assemble(sessionId: SessionId, stored: StoredSignature, { parts, signingTime }: Shown): Promise<Buffer> {
    const { collectEvidence, results } = this.dependencies;
    const { signature } = parts;
    const timeStamp = stored.timeStamp ?? (await results.stamp(sessionId, await collectEvidence.stamp({ signature, signingTime })));
    return assembleSignature({ ...parts, evidence: await collectEvidence.execute(parts, timeStamp) });
  }

  #unseal(sessionId: SessionId, terms: SessionTerms, stored: StoredSignature) {
    const sealed = this.dependencies.sealer.open<SealedTerms>(terms.sealed, sessionStream(sessionId));
    if (!stored.statement) throw new Error('an approved signature has a statement');
    const { toBeSigned, signingTime, ...statement } = { ...stored.statement, ...stored.timed };
    const manifest = Buffer.from(statement.manifest, 'base64');
    if (!namesDocuments(manifest, documentsOf(sealed))) throw new ApprovalRefused('the manifest names other documents than the session');
    return { texts: signedTexts(sealed), shown: { manifest, toBeSigned: Buffer.from(toBeSigned, 'base64'), signingTime } };
  }
}

const signedTexts = (terms: SealedTerms): Pick<SigningResult, 'signedDataHash' | 'signedDataName' | 'documents'> => {
  const documents = documentsOf(terms).map(({ name, hash }) => ({ name, hash }));
  const [only] = documents;
  return terms.documents || !only ? { documents } : { signedDataHash: only.hash, signedDataName: only.name };
};

class PersonErased extends Error {}

class ApprovalRefused extends Error {}

const isApproved = (session: StartedSession): session is Approved => session.status === 'SCANNED' && session.approval !== undefined;

/** Why the signature cannot be built. Undefined when another attempt may succeed. */
const refusalOf = (error: unknown): { readonly rule: string; readonly reason: string } | undefined => {
  if (error instanceof CertificateNotGood) return { rule: `certificate-${error.status}`, reason: error.message };
  if (error instanceof ContainerRefused) return { rule: error.findings[0]?.rule ?? 'unknown', reason: error.message };
  if (error instanceof ApprovalRefused) return { rule: 'approval', reason: error.message };
  return undefined;
};
