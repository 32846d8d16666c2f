import type { SubjectNames } from '#domain/identity';
import type { StreamLooks, UnitOfWork } from '#engines/event-store';
import type { Clock } from '#kernel';

import type { ApprovalSessions, PhoneSignature } from '../approval/approval-sessions.js';
import type { ChangeApprovals, WaitingApproval } from '../approval/change-approvals.js';
import type { ChangeSignature } from '../audit/audit-events.js';
import { enrollerName } from '../domain/enroller.js';
import type { SentChange } from '../approval/change-terms.js';
import type { HumanAdministrator } from '../domain/administrator.js';
import { ApprovalNotFound, ApprovalNotSigned, ApprovalOver, ApprovalRequired, PhoneNotTrusted } from '../domain/admin-token.errors.js';
import type { OpenApproval } from '../domain/open-approvals.js';
import { clientOf, type Membership, type PortalRights, rightsOf } from '../domain/portal-membership.js';
import type { AuthorityProof, PersonAndPhone } from '../repositories/authority-proof.js';
import type { JudgeHumans } from './judge-humans.js';

/** A change that may take effect now, once. */
export interface ApprovedChange extends WaitingApproval {
  readonly statements: readonly ChangeSignature[];
  /** All who have approved it, as they stand beside an activation code. */
  readonly approvers: readonly string[];
  /** The phones that have signed, that of the person who asks first. */
  readonly signers: readonly PersonAndPhone[];
}

export interface CompleteApprovalParts {
  readonly changeApprovals: ChangeApprovals;
  readonly sessions: Pick<ApprovalSessions, 'find'>;
  readonly authority: Pick<AuthorityProof, 'placesOf'>;
  readonly unitOfWork: Pick<UnitOfWork, 'looks'>;
  readonly humans: JudgeHumans;
  readonly names: Pick<SubjectNames, 'ofIdentity'>;
  readonly clock: Clock;
}

/** Whether a person of these rights may ask for the change. */
type MayAsk = (rights: PortalRights, sent: SentChange) => boolean;

interface JudgedChange {
  readonly waiting: WaitingApproval;
  readonly mayAsk: MayAsk;
}

/** Finds out whether a change was approved by whom it has to be, and uses the approvals up. */
export class CompleteApproval {
  constructor(private readonly parts: CompleteApprovalParts) {}

  /** How far the approval of the person's own phone has come. Throws ApprovalNotFound. */
  async state(approvalId: string, human: HumanAdministrator): Promise<'WAITING' | 'SIGNED' | 'OVER'> {
    const waiting = await this.parts.changeApprovals.find(approvalId, human.sessionId);
    return (await this.parts.sessions.find(waiting.sessionId)).state;
  }

  /**
   * `mayAsk`: whether a person of these rights may ask for the change. The second person had them when asking, and has to have them now: one who was removed meanwhile, or whose
   * phone was revoked, is no second person. Throws ApprovalNotFound, {@link ApprovalNotSigned}, {@link ApprovalOver}, {@link PhoneNotTrusted} and {@link ApprovalRequired}.
   */
  async execute(approvalId: string, human: HumanAdministrator, mayAsk: MayAsk): Promise<ApprovedChange> {
    const { changeApprovals, sessions } = this.parts;
    const waiting = await changeApprovals.find(approvalId, human.sessionId);
    const found = await sessions.find(waiting.sessionId);
    if (found.state !== 'SIGNED') throw notSigned(found.state);
    if (!this.#isAbout(found, waiting)) throw new ApprovalOver('the phone has signed another change');
    if (!(await this.#isTrusted(this.parts.unitOfWork.looks, found, human))) throw new PhoneNotTrusted();
    const open = await changeApprovals.openFor(waiting);
    if (!open.some((asked) => asked.approvalId === waiting.approvalId)) throw new ApprovalNotFound('carried out before');
    const second = waiting.fourEyes ? await this.#second(found, open, { waiting, mayAsk }) : undefined;
    if (waiting.fourEyes && !second) throw new ApprovalRequired('no second person has approved the same change');
    await changeApprovals.carryOut(waiting);
    const signed = second ? [found, second] : [found];
    return {
      ...waiting,
      statements: signed.map((each) => this.#statement(each)),
      approvers: signed.map(({ identityId }) => enrollerName(identityId)),
      signers: signed.map(({ identityId, deviceId }) => ({ identityId, deviceId })),
    };
  }

  /**
   * The same of those who have signed, once more within a work that carries the change out. Throws {@link PhoneNotTrusted}, and {@link ApprovalRequired} where the second person may not ask for
   * it any more.
   */
  async requireIn(looks: StreamLooks, { signers: [first, second], sent }: ApprovedChange, human: HumanAdministrator, mayAsk: MayAsk): Promise<void> {
    if (!first || !(await this.#isTrusted(looks, first, human))) throw new PhoneNotTrusted();
    if (second && !mayAsk(rightsOf(await this.parts.authority.placesOf(looks, second)), sent))
      throw new ApprovalRequired('the second person may not ask for it any more');
  }

  /** The signature of another person under the same change, where both count as two. */
  async #second(first: PhoneSignature, open: readonly OpenApproval[], { waiting, mayAsk }: JudgedChange): Promise<PhoneSignature | undefined> {
    const { sessions, humans, clock } = this.parts;
    for (const asked of open) {
      const found = asked.identityId === first.identityId ? undefined : await sessions.find(asked.sessionId);
      if (found?.state !== 'SIGNED' || !this.#isAbout(found, { ...waiting, identityId: asked.identityId })) continue;
      if (!mayAsk(rightsOf(await this.parts.authority.placesOf(this.parts.unitOfWork.looks, found)), waiting.sent)) continue;
      if (await humans.execute(first, found, clock.now())) return found;
    }
    return undefined;
  }

  /** The digest is what the phone showed and signed: one changed letter in the change is another one. */
  #isAbout({ identityId, changeDigest }: PhoneSignature, waiting: Pick<WaitingApproval, 'identityId' | 'digest'>): boolean {
    return identityId === waiting.identityId && changeDigest === waiting.digest;
  }

  /** A phone approves what it may do itself: wherever the phone of the session counts, it has to count too. */
  async #isTrusted(looks: StreamLooks, signed: PersonAndPhone, human: HumanAdministrator): Promise<boolean> {
    const { authority } = this.parts;
    const trusted = await authority.placesOf(looks, signed);
    if (human.deviceId === signed.deviceId) return trusted.length > 0;
    const needed = await authority.placesOf(looks, { identityId: signed.identityId, deviceId: human.deviceId });
    return needed.length > 0 && needed.every((each) => trusted.some((other) => isSamePlace(each, other)));
  }

  #statement({ identityId, toBeSigned, signature, publicKey }: PhoneSignature): ChangeSignature {
    const { kty = '', crv = '', x = '', y = '' } = publicKey;
    return { by: this.parts.names.ofIdentity(identityId)[0] ?? identityId, toBeSigned, signature, publicKey: { kty, crv, x, y } };
  }
}

/** The two were looked at one after the other, so they need not be one object. */
const isSamePlace = (one: Membership, other: Membership): boolean =>
  one.subjectId === other.subjectId && clientOf(one.scope) === clientOf(other.scope) && one.deviceId === other.deviceId;

const notSigned = (state: 'WAITING' | 'OVER'): Error =>
  state === 'WAITING' ? new ApprovalNotSigned('the phone has not signed') : new ApprovalOver('declined, expired, or not signed by the phone');
