import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { SystemClock, TimedOut } from '#kernel';
import { EngineCalls, Metrics, SilentLog } from '#telemetry';

import { BoundedProducer } from './bounded-producer.js';
import { kafkaClient } from './kafka-client.js';

describe('a producer whose calls always end', () => {
  const sockets: Socket[] = [];
  let silentBroker: Server;
  let producer: BoundedProducer;
  let metrics: Metrics;

  beforeEach(async () => {
    silentBroker = createServer((socket) => sockets.push(socket));
    await new Promise<void>((listening) => silentBroker.listen(0, '127.0.0.1', listening));
    const { port } = silentBroker.address() as AddressInfo;
    metrics = new Metrics();
    const calls = new EngineCalls('kafka', { clock: new SystemClock(), metrics });
    producer = new BoundedProducer(kafkaClient({ brokers: [`127.0.0.1:${port}`], clientId: 'test' }, new SilentLog()), 100, calls);
  });
  afterEach(async () => {
    await producer.close();
    for (const socket of sockets.splice(0)) socket.destroy();
    await new Promise((closed) => silentBroker.close(closed));
  });

  it('gives up a broker that accepts the connection and never answers', async () => {
    await expect(producer.send({ topic: 'things', messages: [{ value: 'a' }] })).rejects.toThrow(TimedOut);
    const text = await metrics.registry.getSingleMetricAsString('engine_call_duration_seconds');
    expect(text).toContain('_count{engine="kafka",call="produce",outcome="failed"} 1');
  });

  it('begins the next call with a new connection', async () => {
    await producer.connect().catch(() => undefined);
    const connectionsOfFirstCall = sockets.length;
    await producer.connect().catch(() => undefined);

    expect(connectionsOfFirstCall).toBe(1);
    expect(sockets).toHaveLength(2);
  });
});
