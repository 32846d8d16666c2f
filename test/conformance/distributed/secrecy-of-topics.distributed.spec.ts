import { describe, expect, it } from '@jest/globals';

import { eventually } from '#testkit/kernel/eventually';

import { BusTap } from '../../drills/support/bus-tap.js';
import { allSecrets, SecretSearch, RelyingParty, sharedService, Staff, topology } from '../../support/index.js';

/* Brokers hold records compressed, so the test reads all records of the run from the topics. */
describe('after the whole run', () => {
  it('no record on a topic holds a secret', async () => {
    const service = await sharedService();
    const shop = await RelyingParty.register(service);
    const { sessionId } = await shop.completed(await new Staff(service).newPhone());
    const bus = new BusTap(topology!.settings['KAFKA_BROKERS']!.split(','));
    const arrived = async () => (await bus.read(await bus.topics())).filter(({ key }) => key === sessionId);
    await eventually(async () => (await arrived()).length >= 4, { what: 'the four events of the login are on the topics' });
    const needles = new SecretSearch(allSecrets());
    const finds = (await bus.read(await bus.topics())).flatMap(({ topic, type, content }) =>
      needles.in(Buffer.from(content)).map(({ kind }) => `${kind} in ${type} on ${topic}`),
    );
    expect(finds).toEqual([]);
  }, 120_000);
});
