import { afterEach, beforeEach } from '@jest/globals';

import type { Metrics } from '#telemetry';

import { RelayRig } from './relay-rig.js';
import type { TopicInMemory } from './topic-in-memory.js';

export let rig: RelayRig;
export let topic: TopicInMemory;
export let metrics: Metrics;

/** Each test of the file gets a store, a topic, and relays between them. */
export const useRelays = (): void => {
  beforeEach(() => {
    rig = new RelayRig();
    ({ topic, metrics } = rig);
  });
  afterEach(() => rig.close());
};
