import { InvalidSettings } from '#config';
import { openPlatform, readSettings, runProcess, serveApplications } from '#platform';

import { startEventRelay } from './app.js';

await runProcess(async () => {
  const settings = readSettings();
  if (!settings.kafkaBrokers) throw new InvalidSettings(['KAFKA_BROKERS must name the brokers: without Kafka there is nothing to relay to.']);
  const platform = await openPlatform(settings);
  const relay = startEventRelay(platform);
  platform.readiness.set('event-relay', () => relay.check());
  const served = await serveApplications(platform, []);
  return {
    close: async () => {
      platform.stop();
      await Promise.all([served.close(), relay.close()]);
      await platform.close();
    },
  };
});
