import type { HttpApp } from '#service/http';
import type { Application } from '#service/platform';
import { type SessionFixture, sessionFixture } from '#testkit/platform/session-fixture';
import { CONSUMER_GROUPS, SESSION_EVENTS_TOPIC } from '#domain/session';
import { MemoryStatusCache } from '#testkit/session/status/memory-status-cache';
import { DELIVERIES_GROUP, DELIVERIES_TOPIC } from '#domain/webhook';

import { deviceApi } from '../../device-api/src/app.js';
import { loginBff } from '../../login-bff/src/app.js';
import { openId } from '../../openid/src/app.js';
import { registry } from '../../registry/src/app.js';
import { sessionApi } from '../../session-api/src/app.js';
import { signing } from '../../signing/src/app.js';
import { timers } from '../../timers/src/app.js';
import { webhookDispatcher } from '../../webhook-dispatcher/src/app.js';

const REPLICAS = 3;
const events = (group: string): string => `${SESSION_EVENTS_TOPIC} ${group}`;

describe('the consumer groups of a service', () => {
  let world: SessionFixture;
  let cache: MemoryStatusCache;
  let opened: HttpApp[];
  let joined: string[];

  beforeEach(async () => {
    cache = new MemoryStatusCache();
    world = await sessionFixture({ statusCache: cache });
    [opened, joined] = [[], []];
    const { messageBus } = world.platform;
    const consume = messageBus.consume.bind(messageBus);
    messageBus.consume = (options) => {
      joined.push(`${options.topic} ${options.group}`);
      return consume(options);
    };
  });
  afterEach(async () => {
    world.platform.stop();
    await Promise.all(opened.map((app) => app.close()));
    await world.platform.close();
    await cache.close();
  });

  const open = async (service: Application): Promise<void> => {
    opened.push(await service.create(world.platform));
  };

  // A member that comes or goes makes Kafka share the partitions of the group anew, and all its members pause.
  it.each([
    ['session-api', sessionApi],
    ['login-bff', loginBff],
    ['openid', openId],
    ['device-api', deviceApi],
    ['registry', registry],
  ])('has no member that is a replica of %s: its scaling moves no partition', async (_, service) => {
    for (let replica = 0; replica < REPLICAS; replica += 1) await open(service);
    expect(joined).toEqual([]);
  });

  it.each([
    ['signing', signing, [events(CONSUMER_GROUPS.signing)]],
    ['timers', timers, [events(CONSUMER_GROUPS.timers), events(CONSUMER_GROUPS.statuses)]],
    ['webhook-dispatcher', webhookDispatcher, [events(CONSUMER_GROUPS.webhooks), `${DELIVERIES_TOPIC} ${DELIVERIES_GROUP}`]],
  ])('has the replicas of %s as members: the test above would see a consumer', async (_, service, groups) => {
    await open(service);
    expect(joined.toSorted()).toEqual(groups.toSorted());
  });
});
