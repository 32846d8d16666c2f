import { productSources } from './product-sources.js';

/** The inventory of topics: every name of a topic that the sources hold. Dead letters have a topic beside each, by the name of the group. */
export const declaredTopics = (): readonly string[] => [
  ...new Set(productSources().flatMap(({ text }) => [...text.matchAll(/'([a-z]+(?:\.[a-z]+)*\.v\d+)'/g)].map(([, name = '']) => name))),
];
