import { makeClassArchive } from './class-archive.ts';
import { fetchKafka } from './cluster.ts';

/** node testkit/programs/kafka/fetch.ts: brings Kafka's jars from Maven Central and makes the archive of their classes, if they are missing. */
fetchKafka();
await makeClassArchive();
