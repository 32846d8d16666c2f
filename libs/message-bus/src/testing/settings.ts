/** Where Kafka listens for the tests; empty at a desk without one. */
export const kafkaBrokers = (): readonly string[] => process.env['KAFKA_BROKERS']?.split(',') ?? [];
