import type { Log } from '#telemetry';

import { kafkaClient, type KafkaSettings } from './kafka-client.js';

/** Connects with the service's credentials and answers how many brokers there are. Throws the driver's error. */
export const askKafka = async (settings: KafkaSettings, log: Log): Promise<{ readonly brokers: number }> => {
  const admin = kafkaClient(settings, log).admin();
  try {
    await admin.connect();
    return { brokers: (await admin.describeCluster()).brokers.length };
  } finally {
    await admin.disconnect();
  }
};
