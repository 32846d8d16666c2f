import { type Clock, type IdentityId, sha256Base64url, type SubjectId } from '#kernel';
import type { OwnClient } from '#domain/relying-party';

import type { ApprovalSessions } from '../approval/approval-sessions.js';
import type { StopRequest } from '../domain/break-glass.js';
import type { PortalMembers } from '../repositories/portal-members.js';
import type { BreakGlassRequests } from './break-glass-requests.js';

/** How often the phones of the staff are asked again, in milliseconds. */
const TOLD_EVERY = 3_600_000;

export interface WatchBreakGlassParts {
  readonly requests: BreakGlassRequests;
  readonly members: Pick<PortalMembers, 'team' | 'personOf'>;
  readonly sessions: ApprovalSessions;
  readonly own: OwnClient;
  readonly clock: Clock;
  /** Milliseconds. */
  readonly wait: number;
  /** Told when a break-glass is seen for the first time, and when it is open. */
  readonly alarm: (reason: string) => void;
}

/** One look of a running service at the break-glass that is under way: the service's clock counts its waiting time, and the staff's phones can stop it. */
export class WatchBreakGlass {
  constructor(private readonly parts: WatchBreakGlassParts) {}

  async execute(): Promise<void> {
    const { requests, clock, wait, alarm } = this.parts;
    const found = await requests.find();
    if (found.status === 'NONE' || found.status === 'OPEN') return;
    if (found.status === 'ASKED') {
      await requests.notice();
      alarm('a break-glass was asked for with the keys of the service');
      return this.#tell(found.identityId);
    }
    if (await requests.isSecurityReachable()) return requests.stopSeen(found.requestId, 'service');
    const stopper = await this.#stopper(found.told?.requests ?? []);
    if (stopper !== undefined) return requests.stopSeen(found.requestId, stopper);
    if (clock.now() >= (found.noticedAt ?? Infinity) + wait) {
      await requests.open(wait);
      return alarm('the waiting time of a break-glass is over');
    }
    if (clock.now() >= (found.told?.at ?? 0) + TOLD_EVERY) await this.#tell(found.identityId);
  }

  /** The member of the staff who has approved the stop. */
  async #stopper(told: readonly StopRequest[]): Promise<string | undefined> {
    for (const { sessionId, identityId } of told) {
      const answer = await this.parts.sessions.find(sessionId);
      if (answer.state === 'SIGNED' && answer.identityId === identityId) return identityId;
    }
    return undefined;
  }

  async #tell(identityId: IdentityId): Promise<void> {
    const { requests, members, sessions, own } = this.parts;
    const details = `The keys of the service were used to ask for a way back to the role security, for the person ${identityId}.\nConfirm to stop it.`;
    const told: StopRequest[] = [];
    for (const { subjectId } of (await members.team(undefined)).members) {
      const person = await members.personOf(subjectId);
      if (!person) continue;
      const request = { clientId: own.clientId, subjectId: subjectId as SubjectId, title: 'Stop the break-glass?', details };
      const { sessionId } = await sessions.ask({ ...request, changeDigest: sha256Base64url(details), withoutPage: { lasts: TOLD_EVERY } });
      told.push({ sessionId, identityId: person });
    }
    await requests.told(told);
  }
}
