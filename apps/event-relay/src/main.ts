import { InvalidSettings } from '#service/config';
import { openPlatform, readSettings, runProcess, serveApplications } from '#service/platform';

import { startEventRelay } from './app.js';

await runProcess(async () => {
  const settings = readSettings();
  if (!settings.kafkaBrokers)
    throw new InvalidSettings(['KAFKA_BROKERS is not set. Set it to the brokers that the event relay publishes to, such as kafka-1:9092.']);
  const platform = await openPlatform(settings);
  const relay = startEventRelay(platform);
  platform.readiness.set('event-relay', () => relay.check());
  const served = await serveApplications(platform, []);
  return {
    failed: platform.failed,
    close: async () => {
      platform.stop();
      await Promise.all([served.close(), relay.close()]);
      await platform.close();
    },
  };
});
