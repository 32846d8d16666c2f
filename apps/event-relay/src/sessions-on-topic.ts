import { RecentlyUsed } from '#kernel';
import type { CloudEvent, Publication } from '#engines/message-bus';

/** Enough for some minutes. A session that was dropped from memory is published from its start again; consumers drop the known revisions. */
const SUBJECTS = 50_000;

/**
 * Keeps the order of each session while a lost topic is filled again beside the live events: a consumer that meets revision 5 of a session first
 * takes the earlier ones, which the refill brings later, for repetitions. So before the first live event of a session come its earlier ones.
 */
export class SessionsOnTopic {
  /** The last live revision that the broker has acknowledged. */
  readonly #last = new RecentlyUsed<string, number>(SUBJECTS);

  constructor(private readonly publication: Publication) {}

  /** The live messages, each session complete from its first revision on. Throws EventStoreUnavailable. */
  async complete(messages: readonly CloudEvent[]): Promise<readonly CloudEvent[]> {
    const complete: CloudEvent[] = [];
    const begun = new Set<string>();
    for (const message of messages) {
      const { subject, esrevision } = message;
      if (esrevision > 0 && !begun.has(subject) && !this.#last.has(subject)) {
        complete.push(...(await this.publication.messagesOf(subject, 0, esrevision - 1)));
      }
      begun.add(subject);
      complete.push(message);
    }
    return complete;
  }

  /** The broker has acknowledged these live messages. */
  acknowledged(messages: readonly CloudEvent[]): void {
    for (const { subject, esrevision } of messages) this.#last.set(subject, esrevision);
  }

  /** Whether the live events have brought this message already. */
  has({ subject, esrevision }: CloudEvent): boolean {
    return esrevision <= (this.#last.get(subject) ?? -1);
  }
}
