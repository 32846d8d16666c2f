import type { CloudEvent, TopicReach } from '#message-bus';

import type { EventRelayDependencies } from './event-relay-dependencies.js';

/**
 * How many events on the topic, from these offsets on, the store lacks: it was restored from an older copy after they had been published. A
 * session that was erased since is not counted. Throws ServiceUnavailable.
 */
export const countLackingEvents = async (
  { publisher, publication, eventStore }: Pick<EventRelayDependencies, 'publisher' | 'publication' | 'eventStore'>,
  from: TopicReach,
  signal: AbortSignal,
): Promise<number> => {
  const lacking = new Set<string>();
  const isLacking = async ({ id, subject, esrevision }: CloudEvent): Promise<boolean> => {
    const stream = publication.streamOf(subject);
    const [event] = await eventStore.read(stream, { from: esrevision, limit: 1 });
    if (event) return event.id !== id;
    const [last] = await eventStore.read(stream, { direction: 'backwards', limit: 1 });
    return last !== undefined || !(await eventStore.exists(stream));
  };
  const each = async (message: CloudEvent): Promise<void> => {
    if (await isLacking(message)) lacking.add(message.id);
  };
  await publisher.read(publication.topic, from, each, signal);
  return lacking.size;
};
