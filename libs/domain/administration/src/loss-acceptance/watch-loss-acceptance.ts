import { appendFact, type EventStore } from '#engines/event-store';
import { HISTORY_ACCEPTANCES, type LossAccepted, readAcceptances } from '#engines/transparency-log';
import { type Clock, sha256Base64url, type SubjectId } from '#kernel';
import type { OwnClient } from '#domain/relying-party';

import type { ApprovalSessions } from '../approval/approval-sessions.js';
import type { StopRequest } from '../domain/break-glass.js';
import type { AskedLoss, LossQuestion, LossRequest } from '../domain/loss-request.js';
import type { PortalMembers } from '../repositories/portal-members.js';
import type { PortalPhones } from '../repositories/portal-phones.js';
import type { JudgeHumans } from '../use-cases/judge-humans.js';
import type { LossRequests } from './loss-requests.js';
import { type SecurityPerson, securityPersons } from '../repositories/security-persons.js';
import { phonesIn } from './security-lines.js';

/** How often the phones are asked again, in milliseconds. */
const TOLD_EVERY = 3_600_000;

export interface WatchLossAcceptanceParts {
  readonly store: EventStore;
  readonly requests: LossRequests;
  readonly members: Pick<PortalMembers, 'team' | 'of' | 'personOf'>;
  readonly phones: Pick<PortalPhones, 'list' | 'idOf'>;
  readonly sessions: ApprovalSessions;
  readonly humans: JudgeHumans;
  readonly own: OwnClient;
  readonly clock: Clock;
  /** Milliseconds. */
  readonly wait: number;
  /** Told when an acceptance is seen for the first time, and when it takes effect. */
  readonly alarm: (reason: string) => void;
}

type Pending = LossRequest & { readonly status: 'ASKED' | 'WAITING' };

/**
 * One look of a running service at the acceptance of a loss that is under way. Two persons accept it who had `security` at the newest checkpoint and have it in the store, each by a phone that
 * could act then and can now. Where there are no two, the waiting time decides, in which each member of the staff can stop it.
 */
export class WatchLossAcceptance {
  constructor(private readonly parts: WatchLossAcceptanceParts) {}

  async execute(): Promise<void> {
    const { requests, store, clock, wait, alarm } = this.parts;
    const found = await requests.find();
    if (found.status === 'NONE') return;
    if ((await readAcceptances(store)).some(({ requestId }) => requestId === found.asked.requestId)) return this.#end();
    const eligible = await this.#eligible(found.asked);
    const question: LossQuestion = (await this.#twoOf(eligible)) ? 'accept' : 'stop';
    if (found.status === 'ASKED') {
      await requests.handle({ type: 'NoticeLossAcceptance', now: clock.now() });
      alarm('the acceptance of a loss of guarded events was asked for with the keys of the service');
      return this.#tell(found.asked, question, eligible);
    }
    const signers = await this.#signers(found, eligible);
    if (found.told?.question === 'stop' && signers.length > 0)
      return requests.handle({ type: 'StopLossAcceptance', now: clock.now(), by: signers[0] as string });
    if (question === 'accept' && signers.length >= 2) return this.#accept(found.asked, signers);
    if (question === 'stop' && clock.now() >= (found.stoppableSince ?? Infinity) + wait) return this.#accept(found.asked, ['wait']);
    if (found.told?.question !== question || clock.now() >= found.told.at + TOLD_EVERY) await this.#tell(found.asked, question, eligible);
  }

  /** Each with the phones that could act at the checkpoint and can now. */
  async #eligible({ security }: AskedLoss): Promise<readonly SecurityPerson[]> {
    const persons = await securityPersons(this.parts);
    return persons
      .map((person) => ({ ...person, phoneIds: person.phoneIds.filter((phoneId) => phonesIn(security, person.identityId).includes(phoneId)) }))
      .filter(({ phoneIds }) => phoneIds.length > 0);
  }

  /** Who has signed what was asked last: to stop it any of those asked, to accept it two who are two humans. */
  async #signers({ asked, told }: Pending, eligible: readonly SecurityPerson[]): Promise<readonly string[]> {
    const { sessions, phones } = this.parts;
    if (!told) return [];
    const digest = sha256Base64url(detailsOf(asked, told.question));
    const signed: SecurityPerson[] = [];
    for (const { sessionId, identityId } of told.requests) {
      const answer = await sessions.find(sessionId);
      if (answer.state !== 'SIGNED' || answer.identityId !== identityId || answer.changeDigest !== digest) continue;
      if (told.question === 'stop') return [identityId];
      const person = eligible.find((one) => one.identityId === identityId);
      if (person?.phoneIds.includes(phones.idOf(answer.deviceId))) signed.push(person);
    }
    return (await this.#twoOf(signed)) ?? [];
  }

  /** Two of them who are two humans. Undefined where there are none. */
  async #twoOf(persons: readonly SecurityPerson[]): Promise<readonly string[] | undefined> {
    const { humans, clock } = this.parts;
    for (const one of persons)
      for (const other of persons) if (await humans.execute(one, other, clock.now())) return [one.identityId, other.identityId];
    return undefined;
  }

  async #accept({ security: _, ...loss }: AskedLoss, by: readonly string[]): Promise<void> {
    const { store, clock, alarm } = this.parts;
    const accepted: LossAccepted = { type: 'LossAccepted', data: { ...loss, at: clock.now(), by } };
    await appendFact({ store, clock }, HISTORY_ACCEPTANCES.of('all'), accepted);
    alarm('a loss of guarded events was accepted: the history goes on without them');
    await this.#end();
  }

  #end(): Promise<void> {
    return this.parts.requests.handle({ type: 'EndLossAcceptance', now: this.parts.clock.now() });
  }

  async #tell(asked: AskedLoss, question: LossQuestion, eligible: readonly SecurityPerson[]): Promise<void> {
    const { requests, members, sessions, own, clock } = this.parts;
    const details = detailsOf(asked, question);
    const title = question === 'accept' ? 'Accept the loss of history?' : 'Stop the acceptance?';
    const told: StopRequest[] = [];
    for (const { subjectId } of (await members.team(undefined)).members) {
      const identityId = await members.personOf(subjectId);
      if (!identityId || (question === 'accept' && !eligible.some((one) => one.identityId === identityId))) continue;
      const request = { clientId: own.clientId, subjectId: subjectId as SubjectId, title, details };
      const { sessionId } = await sessions.ask({ ...request, changeDigest: sha256Base64url(details), withoutPage: { lasts: TOLD_EVERY } });
      told.push({ sessionId, identityId });
    }
    await requests.handle({ type: 'TellLossAcceptance', now: clock.now(), question, told });
  }
}

/** What the phones show and sign. */
const detailsOf = ({ requestId, published, stored, lost }: AskedLoss, question: LossQuestion): string => {
  const count = lost.reduce((sum, [first, last]) => sum + last - first + 1, 0);
  return [
    `The event store lacks ${count} guarded events that were published.`,
    `Published: ${published.size} events, root ${published.root}.`,
    stored ? `In the store: ${stored.size} events, root ${stored.root}.` : 'The store names no checkpoint.',
    question === 'accept' ? 'Confirm to go on without them.' : 'The service will go on without them. Confirm to stop it.',
    `Request ${requestId}.`,
  ].join('\n');
};
