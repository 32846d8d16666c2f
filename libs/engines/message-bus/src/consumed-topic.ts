import type { Channel } from './channel.js';
import type { ConsumeOptions } from './message-bus.js';
import type { Publication } from './publication.js';

/** Finds the topic by its name. Throws a TypeError for a topic or a type that the bus does not have, because a misspelt type would never arrive. */
export const consumedTopic = (
  known: readonly (Publication | Channel)[],
  { topic: name, types }: Pick<ConsumeOptions, 'topic' | 'types'>,
): Publication | Channel => {
  const topic = known.find((one) => one.topic === name);
  if (!topic) throw new TypeError(`${name} is no topic of this bus`);
  const unknown = types.filter((type) => !topic.types.has(type));
  if (unknown.length > 0) throw new TypeError(`${name} has no messages of type ${unknown.join(', ')}`);
  return topic;
};
