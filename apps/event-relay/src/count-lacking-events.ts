import type { RecordedEvent } from '#engines/event-store';
import type { CloudEvent, TopicReach } from '#engines/message-bus';

import type { EventRelayDependencies } from './event-relay-dependencies.js';

/** Messages that are compared together: their sessions are read once each. */
const WINDOW = 5_000;
/** More lacking events are not counted: the copy is far behind, and the log says so. */
export const MOST_LACKING = 100_000;

/**
 * How many events on the topic, from these offsets on, the store lacks: it was restored from an older copy after they had been published. A
 * session that was erased since is not counted. Reads each session once, not once for each message. Throws ServiceUnavailable.
 */
export const countLackingEvents = async (
  { publisher, publication, eventStore }: Pick<EventRelayDependencies, 'publisher' | 'publication' | 'eventStore'>,
  from: TopicReach,
  signal: AbortSignal,
): Promise<number> => {
  const lacking = new Set<string>();
  const waiting = new Map<string, CloudEvent[]>();
  let count = 0;

  const isErased = async (subject: string): Promise<boolean> => {
    const stream = publication.streamOf(subject);
    const [last] = await eventStore.read(stream, { direction: 'backwards', limit: 1 });
    return last === undefined && (await eventStore.exists(stream));
  };
  const compare = async (): Promise<void> => {
    for (const [subject, messages] of waiting) {
      signal.throwIfAborted();
      const revisions = messages.map(({ esrevision }) => esrevision);
      const first = Math.min(...revisions);
      const stored = await eventStore.read(publication.streamOf(subject), { from: first, limit: Math.max(...revisions) - first + 1 });
      const missing = messages.filter((message) => !holds(stored, message));
      if (missing.length > 0 && (stored.length > 0 || !(await isErased(subject)))) for (const { id } of missing) lacking.add(id);
    }
    waiting.clear();
    count = 0;
  };
  const each = async (message: CloudEvent): Promise<void> => {
    if (lacking.size >= MOST_LACKING) return;
    const messages = waiting.get(message.subject);
    if (messages) messages.push(message);
    else waiting.set(message.subject, [message]);
    count += 1;
    if (count >= WINDOW) await compare();
  };
  await publisher.read(publication.topic, from, each, signal);
  await compare();
  return lacking.size;
};

const holds = (stored: readonly RecordedEvent[], { esrevision, id }: CloudEvent): boolean =>
  stored.some((event) => event.revision === esrevision && event.id === id);
