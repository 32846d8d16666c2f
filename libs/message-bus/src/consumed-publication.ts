import type { ConsumeOptions } from './message-bus.js';
import type { Publication } from './publication.js';

/** The publication of the topic. Throws a TypeError for a topic or a type that is not published: a misspelt type would never arrive. */
export const consumedPublication = (publications: readonly Publication[], { topic, types }: Pick<ConsumeOptions, 'topic' | 'types'>): Publication => {
  const publication = publications.find((one) => one.topic === topic);
  if (!publication) throw new TypeError(`${topic} is no topic of this bus`);
  const unknown = types.filter((type) => !publication.types.has(type));
  if (unknown.length > 0) throw new TypeError(`${topic} has no messages of type ${unknown.join(', ')}`);
  return publication;
};
