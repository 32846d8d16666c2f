import { describe, expect, it } from '@jest/globals';

import { CONSUMER_GROUPS, SESSION_EVENTS_TOPIC } from '#domain/session';
import { DELIVERIES_GROUP, DELIVERIES_TOPIC, queueOfPartition } from '#domain/webhook';

import { component, ofKind, render } from './support/chart.ts';

const objects = render('minimal-values.yaml');
const scaled = new Map(ofKind(objects, 'ScaledObject').map((object) => [component(object), object.spec]));

describe('autoscaling', () => {
  it('scales the services with an API by processor time', () => {
    const scaled = ['console', 'device-api', 'login-bff', 'openid', 'registry', 'session-api'];
    expect(ofKind(objects, 'HorizontalPodAutoscaler').map(component).sort()).toEqual(scaled);
  });

  it('scales the consumers by the lag of their own groups', () => {
    const groups = new Map([...scaled].map(([name, { triggers }]) => [name, triggers[0].metadata]));
    const of = (group: string) => expect.objectContaining({ consumerGroup: `${SESSION_EVENTS_TOPIC}.${group}`, topic: SESSION_EVENTS_TOPIC });
    expect(Object.fromEntries(groups)).toEqual({
      signing: of(CONSUMER_GROUPS.signing),
      'webhook-dispatcher': of(CONSUMER_GROUPS.webhooks),
      timers: of(CONSUMER_GROUPS.timers),
    });
  });

  it('scales the dispatcher by the deliveries that their owners have not taken', () => {
    expect(scaled.get('webhook-dispatcher').triggers[1].metadata).toMatchObject({
      topic: DELIVERIES_TOPIC,
      consumerGroup: `${DELIVERIES_TOPIC}.${DELIVERIES_GROUP}`,
    });
  });

  it('scales the dispatcher by its job queues too', () => {
    const [, , ...triggers] = scaled.get('webhook-dispatcher').triggers as readonly { type: string; metadata: { listName: string } }[];
    expect(triggers[0]).toMatchObject({ type: 'redis', metadata: { address: 'redis.engines.svc:6379', username: 'countersign' } });
    const lists = triggers.map(({ metadata }) => metadata.listName);
    expect(lists).toEqual(
      Array.from({ length: 6 }, (_, partition) => queueOfPartition(partition)).map((queue) => `{countersign-${queue}}:${queue}:wait`),
    );
  });

  it('reads the job queue from all nodes of a Redis Cluster', () => {
    const dispatcher = ofKind(render('certificates-values.yaml'), 'ScaledObject').find((object) => component(object) === 'webhook-dispatcher')!;
    expect(dispatcher.spec.triggers[2]).toMatchObject({
      type: 'redis-cluster',
      metadata: { addresses: 'redis-0.engines.svc:6379,redis-1.engines.svc:6379', username: 'countersign' },
    });
  });

  it('never scales the relay: one works, one stands by', () => {
    expect(scaled.has('event-relay')).toBe(false);
  });
});
