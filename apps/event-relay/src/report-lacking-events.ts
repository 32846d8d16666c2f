import type { TopicReach } from '#engines/message-bus';
import { retry, untilAborted } from '#kernel';

import { countLackingEvents } from './count-lacking-events.js';
import type { EventRelayDependencies } from './event-relay-dependencies.js';
import { COMPONENT } from './topic-feed.js';

/**
 * Tells how many events after these offsets the topic has and the store lacks. Normally none, since the events that the last
 * holder published after its checkpoint are in the store. Repeats until it has an answer or the signal is aborted. `wait`: milliseconds between two tries.
 */
export const reportLackingEvents = async (
  dependencies: EventRelayDependencies,
  after: TopicReach,
  wait: number,
  signal: AbortSignal,
): Promise<void> => {
  const { log, metrics } = dependencies;
  const compare = async (): Promise<void> => {
    const count = await countLackingEvents(dependencies, after, signal);
    if (count === 0) return;
    metrics.relayLackingEvents.inc(count);
    log.warn('the store was restored from an older copy and lacks events that are on the topic', { component: COMPONENT, count });
  };
  const onRetry = (error: unknown): void => log.warn('the topic could not be compared with the store yet', { component: COMPONENT, error });
  await untilAborted(signal, retry(compare, { waits: wait, onRetry, signal }));
};
