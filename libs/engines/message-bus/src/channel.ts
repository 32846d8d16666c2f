import type { CloudEvent } from './cloud-event.js';
import type { Publication } from './publication.js';

/**
 * A topic for messages that services send without a stored event. Their `esrevision` is 0, so the bus cannot tell a repetition from a new message and
 * fills no gap: handlers recognise a repetition by the id. Messages come in no particular order.
 */
export type Channel = Pick<Publication, 'topic' | 'types' | 'refuse'>;

/** Whether the bus makes the messages of the topic from stored events. */
export const isPublication = (topic: Publication | Channel): topic is Publication => 'messagesOf' in topic;

/** Finds the channel by its name. An unknown channel, and a message that the channel refuses, are mistakes of the caller: throws a TypeError. */
export const sentChannel = (channels: readonly Channel[], name: string, messages: readonly CloudEvent[]): Channel => {
  const channel = channels.find(({ topic }) => topic === name);
  if (!channel) throw new TypeError(`${name} is no channel of this bus`);
  for (const message of messages) {
    const refusal = channel.refuse(message);
    if (refusal !== undefined) throw new TypeError(`a message for ${name} is refused: ${refusal}`);
  }
  return channel;
};
