import { fetchKafka } from './cluster.ts';

/** node tools/kafka/fetch.ts: brings Kafka's jars from Maven Central, where they are not there yet. */
fetchKafka();
