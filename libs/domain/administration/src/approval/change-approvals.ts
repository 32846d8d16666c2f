import { decideAndAppend, type EventStore, type LastEvent, readLast, type StreamName } from '#engines/event-store';
import { type Clock, parseId, type Randomness, type Sealer, type SubjectId } from '#kernel';
import type { OwnClient } from '#domain/relying-party';

import type { HumanAdministrator } from '../domain/administrator.js';
import { ApprovalNotFound } from '../domain/admin-token.errors.js';
import { APPROVALS, type ApprovalEvent, type ApprovalId, CHANGE_REQUESTS, type ChangeRequestEvent } from '../streams.js';
import { changeDigest, type ChangeWords, detailsOf, type SentChange, titleOf, type TouchedVersions } from './change-terms.js';
import type { ApprovalSessions } from './approval-sessions.js';

/** How long a change can be carried out after it was asked for, in milliseconds. */
const OPEN_FOR = 10 * 60_000;
/** How many requests for one change are looked at. */
const MOST_ASKED = 50;

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

/** An approval that a person was asked for, and that was not used. */
export type OpenApproval = Extract<ApprovalEvent, { type: 'ApprovalAsked' }>['data'];

export interface ChangeApprovalsParts {
  readonly store: EventStore;
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
    const { store, clock, randomness, sealer, own, sessions } = this.parts;
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
    const request = CHANGE_REQUESTS.of(approvalId);
    await CHANGE_REQUESTS.retain(store, request);
    await this.#append(request, () => [
      {
        type: 'ChangeRequested',
        data: { at, expiresAt: at + OPEN_FOR, sessionId, portalSessionId, identityId, digest, fourEyes, sealed: sealer.seal(sent, request) },
      },
    ]);
    const approvals = streamOf(digest);
    await APPROVALS.retain(store, approvals);
    await this.#append(approvals, () => [{ type: 'ApprovalAsked', data: { at, approvalId, sessionId, identityId } }]);
    return { approvalId, title, expiresAt, verificationCode };
  }

  /** The change, for the session of the portal in which it was asked for. Throws {@link ApprovalNotFound}. */
  async find(id: string, portalSessionId: string): Promise<WaitingApproval> {
    const approvalId = parseId<ApprovalId>(id);
    const request = approvalId && CHANGE_REQUESTS.of(approvalId);
    const last = request && (await readLast<ChangeRequestEvent>(this.parts.store, request)).last;
    if (!last || this.parts.clock.now() >= last.data.expiresAt) throw new ApprovalNotFound('unknown or over');
    if (last.data.portalSessionId !== portalSessionId) throw new ApprovalNotFound('of another session of the portal');
    const { sealed, ...data } = last.data;
    return { ...data, approvalId: approvalId as ApprovalId, sent: this.parts.sealer.open<SentChange>(sealed, request) };
  }

  /** The approvals of this very change that are open, those of other persons too. */
  async openFor({ digest }: Pick<WaitingApproval, 'digest'>): Promise<readonly OpenApproval[]> {
    return this.#open(await this.#read(streamOf(digest)));
  }

  /** Uses up the approvals of this change, once. Throws {@link ApprovalNotFound} when another request was first. */
  async carryOut({ approvalId, digest }: WaitingApproval): Promise<void> {
    const stream = streamOf(digest);
    const { store, clock } = this.parts;
    await decideAndAppend<LastEvent<ApprovalEvent>, ApprovalEvent>({ store, clock }, stream, {
      load: (conflict) => readLast<ApprovalEvent>(store, stream, conflict),
      decide: async () => {
        if (!this.#open(await this.#read(stream)).some((asked) => asked.approvalId === approvalId)) throw new ApprovalNotFound('carried out before');
        return [{ type: 'ChangeCarriedOut', data: { at: clock.now(), approvalId } }];
      },
    });
  }

  #open(newestFirst: readonly ApprovalEvent[]): readonly OpenApproval[] {
    const used = newestFirst.findIndex(({ type }) => type === 'ChangeCarriedOut');
    const since = used < 0 ? newestFirst : newestFirst.slice(0, used);
    const now = this.parts.clock.now();
    return since.flatMap((event) => (event.type === 'ApprovalAsked' && now < event.data.at + OPEN_FOR ? [event.data] : []));
  }

  #read(stream: StreamName): Promise<readonly ApprovalEvent[]> {
    return this.parts.store.read<ApprovalEvent>(stream, { direction: 'backwards', limit: MOST_ASKED });
  }

  async #append<Event extends ApprovalEvent | ChangeRequestEvent>(stream: StreamName, decide: () => readonly Event[]): Promise<void> {
    const { store, clock } = this.parts;
    await decideAndAppend<LastEvent<Event>, Event>({ store, clock }, stream, {
      load: (conflict) => readLast<Event>(store, stream, conflict),
      decide,
    });
  }
}

/** Names of streams take no `-` or `_` of base64url for granted, so the digest goes in as hex. */
const streamOf = (digest: string): StreamName => APPROVALS.of(Buffer.from(digest, 'base64url').toString('hex'));
