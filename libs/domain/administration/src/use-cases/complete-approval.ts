import type { FindLivingPerson, SubjectNames } from '#domain/identity';
import type { Clock } from '#kernel';

import type { ApprovalSessions, PhoneSignature } from '../approval/approval-sessions.js';
import type { ChangeApprovals, OpenApproval, WaitingApproval } from '../approval/change-approvals.js';
import type { ChangeSignature } from '../audit/audit-events.js';
import { enrollerName } from '../domain/enroller.js';
import type { SentChange } from '../approval/change-terms.js';
import type { HumanAdministrator } from '../domain/administrator.js';
import { ApprovalNotFound, ApprovalNotSigned, ApprovalOver, ApprovalRequired, PhoneNotTrusted } from '../domain/admin-token.errors.js';
import { type Membership, type PortalRights, rightsOf } from '../domain/portal-membership.js';
import type { PortalMembers } from '../repositories/portal-members.js';
import type { PortalPhones } from '../repositories/portal-phones.js';
import type { JudgeHumans } from './judge-humans.js';

/** A change that may take effect now, once. */
export interface ApprovedChange extends WaitingApproval {
  readonly statements: readonly ChangeSignature[];
  /** All who have approved it, as they stand beside an activation code. */
  readonly approvers: readonly string[];
}

export interface CompleteApprovalParts {
  readonly changeApprovals: ChangeApprovals;
  readonly sessions: Pick<ApprovalSessions, 'find'>;
  readonly members: Pick<PortalMembers, 'byPerson'>;
  readonly phones: Pick<PortalPhones, 'trustedFor'>;
  readonly living: Pick<FindLivingPerson, 'execute'>;
  readonly humans: JudgeHumans;
  readonly names: Pick<SubjectNames, 'ofIdentity'>;
  readonly clock: Clock;
}

interface JudgedChange {
  readonly waiting: WaitingApproval;
  readonly mayAsk: (rights: PortalRights, sent: SentChange) => boolean;
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
  async execute(approvalId: string, human: HumanAdministrator, mayAsk: (rights: PortalRights, sent: SentChange) => boolean): Promise<ApprovedChange> {
    const { changeApprovals, sessions } = this.parts;
    const waiting = await changeApprovals.find(approvalId, human.sessionId);
    const found = await sessions.find(waiting.sessionId);
    if (found.state !== 'SIGNED') throw notSigned(found.state);
    if (!this.#isAbout(found, waiting)) throw new ApprovalOver('the phone has signed another change');
    if (!(await this.#isTrusted(found, human))) throw new PhoneNotTrusted();
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
    };
  }

  /** The signature of another person under the same change, where both count as two. */
  async #second(first: PhoneSignature, open: readonly OpenApproval[], { waiting, mayAsk }: JudgedChange): Promise<PhoneSignature | undefined> {
    const { sessions, humans, clock } = this.parts;
    for (const asked of open) {
      const found = asked.identityId === first.identityId ? undefined : await sessions.find(asked.sessionId);
      if (found?.state !== 'SIGNED' || !this.#isAbout(found, { ...waiting, identityId: asked.identityId })) continue;
      if (!mayAsk(rightsOf(await this.#placesOf(found)), waiting.sent)) continue;
      if (await humans.execute(first, found, clock.now())) return found;
    }
    return undefined;
  }

  /** The digest is what the phone showed and signed: one changed letter in the change is another one. */
  #isAbout({ identityId, changeDigest }: PhoneSignature, waiting: Pick<WaitingApproval, 'identityId' | 'digest'>): boolean {
    return identityId === waiting.identityId && changeDigest === waiting.digest;
  }

  /** A phone approves what it may do itself: wherever the phone of the session counts, it has to count too. */
  async #isTrusted(signed: PhoneSignature, human: HumanAdministrator): Promise<boolean> {
    const trusted = await this.#placesOf(signed);
    if (human.deviceId === signed.deviceId) return trusted.length > 0;
    const needed = await this.#placesOf({ identityId: signed.identityId, deviceId: human.deviceId });
    return needed.length > 0 && needed.every((each) => trusted.includes(each));
  }

  /** Where the phone may act for the person now: nowhere once it is revoked, or the person erased. */
  async #placesOf({ identityId, deviceId }: Pick<PhoneSignature, 'identityId' | 'deviceId'>): Promise<readonly Membership[]> {
    const { members, phones, living } = this.parts;
    if ((await living.execute(deviceId)) !== identityId) return [];
    return phones.trustedFor(identityId, deviceId, (await members.byPerson())(identityId));
  }

  #statement({ identityId, toBeSigned, signature, publicKey }: PhoneSignature): ChangeSignature {
    const { kty = '', crv = '', x = '', y = '' } = publicKey;
    return { by: this.parts.names.ofIdentity(identityId)[0] ?? identityId, toBeSigned, signature, publicKey: { kty, crv, x, y } };
  }
}

const notSigned = (state: 'WAITING' | 'OVER'): Error =>
  state === 'WAITING' ? new ApprovalNotSigned('the phone has not signed') : new ApprovalOver('declined, expired, or not signed by the phone');
