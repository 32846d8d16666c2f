import type { StreamName, UnitOfWork } from '#engines/event-store';
import { type Clock, parseId, type Randomness, type Sealer, type SubjectId } from '#kernel';
import type { OwnClient } from '#domain/relying-party';

import type { HumanAdministrator } from '../domain/administrator.js';
import { ApprovalNotFound } from '../domain/admin-token.errors.js';
import { type ApprovalId, OPEN_FOR, openAt, type OpenApproval } from '../domain/open-approvals.js';
import { APPROVAL, CHANGE_REQUEST } from '../repositories/stream-types.js';
import { APPROVALS, CHANGE_REQUESTS, type ChangeRequestEvent } from '../streams.js';
import { changeDigest, type ChangeWords, detailsOf, type SentChange, titleOf, type TouchedVersions } from './change-terms.js';
import type { ApprovalSessions } from './approval-sessions.js';

/** A change that a person asks for. */
export interface AskedChange {
  readonly sent: SentChange;
  readonly versions: TouchedVersions;
  readonly words: ChangeWords;
  /** Whether a second person has to approve it. */
  readonly fourEyes: boolean;
}

/** An approval as its person gets it. */
export interface MadeApproval {
  readonly approvalId: ApprovalId;
  readonly title: string;
  /** Epoch seconds. */
  readonly expiresAt: number;
  /** Two digits, which the person chooses on the phone. */
  readonly verificationCode: string;
}

/** A change that waits for its approvals. */
export interface WaitingApproval extends Omit<ChangeRequestEvent['data'], 'sealed'> {
  readonly approvalId: ApprovalId;
  readonly sent: SentChange;
}

export interface ChangeApprovalsParts {
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly sealer: Sealer;
  /** By which the phone is asked. */
  readonly own: OwnClient;
  readonly sessions: Pick<ApprovalSessions, 'ask'>;
}

/** The critical changes that persons ask for, and who was asked on the phone to approve them (specification/admin.md#critical-changes). */
export class ChangeApprovals {
  constructor(private readonly parts: ChangeApprovalsParts) {}

  /** Asks the person on the phone. The change waits until then. */
  async ask(
    { sent, versions, words, fourEyes }: AskedChange,
    { subjectId, human }: { subjectId: SubjectId; human: HumanAdministrator },
  ): Promise<MadeApproval> {
    const { unitOfWork, clock, randomness, sealer, own, sessions } = this.parts;
    const approvalId = randomness.uuid<ApprovalId>();
    const digest = changeDigest(sent, versions);
    const title = titleOf(words);
    const { sessionId, expiresAt, verificationCode } = await sessions.ask({
      clientId: own.clientId,
      subjectId,
      title,
      details: detailsOf(words, sent),
      changeDigest: digest,
    });
    const at = clock.now();
    const { identityId, sessionId: portalSessionId } = human;
    const [request, approvals] = [CHANGE_REQUESTS.of(approvalId), streamOf(digest)];
    const sealed = sealer.seal(sent, request);
    await CHANGE_REQUESTS.retain(unitOfWork.store, request);
    await APPROVALS.retain(unitOfWork.store, approvals);
    await unitOfWork.run(async (streams) => {
      const data = { at, expiresAt: at + OPEN_FOR, sessionId, portalSessionId, identityId, digest, fourEyes, sealed };
      (await streams.begin(CHANGE_REQUEST, request)).decide([{ type: 'ChangeRequested', data }]);
      (await streams.load(APPROVAL, approvals)).decide({ type: 'AskApproval', at, approvalId, sessionId, identityId });
    });
    return { approvalId, title, expiresAt, verificationCode };
  }

  /** The change, for the session of the portal in which it was asked for. Throws {@link ApprovalNotFound}. */
  async find(id: string, portalSessionId: string): Promise<WaitingApproval> {
    const approvalId = parseId<ApprovalId>(id);
    const request = approvalId && CHANGE_REQUESTS.of(approvalId);
    const last = request && (await this.parts.unitOfWork.read(CHANGE_REQUEST, request)).state;
    if (!last || this.parts.clock.now() >= last.data.expiresAt) throw new ApprovalNotFound('unknown or over');
    if (last.data.portalSessionId !== portalSessionId) throw new ApprovalNotFound('of another session of the portal');
    const { sealed, ...data } = last.data;
    return { ...data, approvalId: approvalId as ApprovalId, sent: this.parts.sealer.open<SentChange>(sealed, request) };
  }

  /** The approvals of this very change that are open, those of other persons too. */
  async openFor({ digest }: Pick<WaitingApproval, 'digest'>): Promise<readonly OpenApproval[]> {
    const { unitOfWork, clock } = this.parts;
    return openAt((await unitOfWork.read(APPROVAL, streamOf(digest))).state, clock.now());
  }

  /** Uses up the approvals of this change, once. Throws {@link ApprovalNotFound} when another request was first. */
  async carryOut({ approvalId, digest }: WaitingApproval): Promise<void> {
    const { unitOfWork, clock } = this.parts;
    await unitOfWork.run(async (streams) => {
      const approval = await streams.load(APPROVAL, streamOf(digest));
      approval.decide({ type: 'CarryOutChange', now: clock.now(), approvalId });
    });
  }
}

/** Names of streams take no `-` or `_` of base64url for granted, so the digest goes in as hex. */
const streamOf = (digest: string): StreamName => APPROVALS.of(Buffer.from(digest, 'base64url').toString('hex'));
