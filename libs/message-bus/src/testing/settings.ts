/** The brokers that the tests use; empty without Kafka. */
export const kafkaBrokers = (): readonly string[] => process.env['KAFKA_BROKERS']?.split(',') ?? [];
