import { describe, expect, it } from '@jest/globals';

import { kafkaBrokers } from '#testkit/message-bus/settings';
import { countInstances } from '#testkit/kernel/count-instances';
import { eventually } from '#testkit/kernel/eventually';
import { testPlatform } from '#testkit/platform/test-platform';

import { startEventRelay } from '../../event-relay/src/app.js';
import { classesIn, DECIDING, SEVERAL, twice } from './process-classes.js';

/** Each count walks through the whole heap. Milliseconds. */
const MINUTES = 300_000;

const ENVIRONMENT = ['KAFKA_BROKERS', 'KAFKA_TLS', 'KAFKA_CA_FILE', 'KAFKA_SASL', 'KAFKA_USER', 'KAFKA_PASSWORD_FILE'];

(kafkaBrokers().length > 0 ? describe : describe.skip)('the process of the event relay', () => {
  it(
    'has at most one of each repository, use case, queue and memory while it publishes',
    async () => {
      const classes = await classesIn([...DECIDING, 'apps/event-relay/src/**/*.ts']);
      // The prototypes of subclasses.
      const before = (countInstances(classes), countInstances(classes));
      const given = Object.fromEntries(ENVIRONMENT.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])));
      const platform = await testPlatform(given);
      const relay = startEventRelay(platform);
      try {
        await eventually(
          () =>
            relay.check().then(
              () => true,
              () => false,
            ),
          { what: 'the relay is ready', within: 60_000 },
        );
        const after = countInstances(classes);
        const made = new Map(classes.map((one) => [one.name, (after.get(one) ?? 0) - (before.get(one) ?? 0)]));
        expect(twice(made, SEVERAL)).toEqual([]);
        expect(made.get('EventRelay')).toBe(1);
        expect(made.get('UnitOfWork')).toBe(1);
      } finally {
        platform.stop();
        await relay.close();
        await platform.close();
      }
    },
    MINUTES,
  );
});
