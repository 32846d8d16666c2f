import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { SqliteEventStore } from '#engines/event-store';
import { SystemClock, SystemRandomness } from '#kernel';
import { eventually } from '#testkit/kernel/eventually';
import { Metrics, SilentLog } from '#telemetry';

import { RECORD_MACS } from '#testkit/message-bus/record-macs';
import { ThingPublication } from '#testkit/message-bus/thing-publication';
import { KafkaMessageBus } from './kafka-message-bus.js';

const TOPIC = 'things.v1';

describe('consumers on Kafka of a process that does not serve yet', () => {
  let broker: Server;
  /** Connections so far. */
  let connections: number;
  let eventStore: SqliteEventStore;
  let stop: AbortController;
  beforeEach(async () => {
    connections = 0;
    stop = new AbortController();
    eventStore = new SqliteEventStore({ path: ':memory:', clock: new SystemClock() });
    broker = createServer((socket) => {
      connections += 1;
      socket.on('error', () => undefined).destroy();
    }).listen(0, '127.0.0.1');
    await once(broker, 'listening');
  });
  afterEach(async () => {
    broker.close();
    await eventStore.close();
  });

  const port = (): number => (broker.address() as AddressInfo).port;
  const parts = () => ({
    macs: RECORD_MACS,
    clock: new SystemClock(),
    randomness: new SystemRandomness(),
    log: new SilentLog(),
    metrics: new Metrics(),
  });
  const consuming = (begin: Promise<void>): KafkaMessageBus => {
    const publications = [new ThingPublication(eventStore, TOPIC)];
    const bus = new KafkaMessageBus({ ...parts(), begin, publications, brokers: [`127.0.0.1:${port()}`], clientId: 'test' });
    for (const group of ['one', 'two', 'three'])
      bus.consume({ topic: TOPIC, group, types: ['thing.made'], handler: async () => undefined, signal: stop.signal });
    return bus;
  };

  it('ask no broker for anything, and begin when it serves', async () => {
    const { promise: begin, resolve: serve } = Promise.withResolvers<void>();
    const bus = consuming(begin);
    // If the consumers had connected at once, the server would have counted them before this later connection.
    const later = connect(port(), '127.0.0.1').on('error', () => undefined);
    await once(later, 'close');
    expect(connections).toBe(1);
    serve();
    await eventually(() => connections >= 4, { what: 'the three have asked' });
    stop.abort();
    await bus.close();
  });

  it('end without a connection when it stops before', async () => {
    const { promise: begin, resolve: serve } = Promise.withResolvers<void>();
    const bus = consuming(begin);
    stop.abort();
    serve();
    await bus.close();
    expect(connections).toBe(0);
  });
});
