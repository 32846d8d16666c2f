import type { CloudEvent } from './cloud-event.js';
import type { Publication } from './publication.js';

/**
 * A topic of messages that services send themselves. They belong to no stored event: their `esrevision` is 0, so the bus tells no repetition from a
 * new message and fills no gap. A handler has to tell by the id. Messages come in no particular order.
 */
export type Channel = Pick<Publication, 'topic' | 'types' | 'refuse'>;

/** Whether the messages of the topic are made from stored events. */
export const isPublication = (topic: Publication | Channel): topic is Publication => 'messagesOf' in topic;

/** The channel of that name. Throws a TypeError for an unknown channel, and for messages that it refuses: they are the caller's mistake. */
export const sentChannel = (channels: readonly Channel[], name: string, messages: readonly CloudEvent[]): Channel => {
  const channel = channels.find(({ topic }) => topic === name);
  if (!channel) throw new TypeError(`${name} is no channel of this bus`);
  for (const message of messages) {
    const refusal = channel.refuse(message);
    if (refusal !== undefined) throw new TypeError(`a message for ${name} is refused: ${refusal}`);
  }
  return channel;
};
