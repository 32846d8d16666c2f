import type { PlatformSettings } from '#service/config';
import { connectRedis, explainRefusal } from '#engines/access';
import { openEventStoreDb } from '#engines/event-store';
import { type Clock, SystemRandomness, TimedOut, within } from '#kernel';
import { askKafka } from '#engines/message-bus';
import { openPostgresqlReadModels } from '#engines/read-model';
import { SilentLog } from '#telemetry';

import { eventStoreAccess, postgresqlAccess, redisAccess } from '../engine-access.js';
import { kafkaSettings } from '../kafka-settings.js';
import { clockProblem } from './check-clock.js';
import { judgeEventStore } from './event-store-version.js';
import type { DoctorFinding } from './finding.js';

/** Milliseconds that one engine may take to answer: longer than each client's own limits, which say more. */
const TIME_LIMIT = 20_000;

type Engine = Parameters<typeof explainRefusal>[1];
/** The fault of an engine, if it has one, or also what is to be noted of it. */
type Answer = string | undefined | Pick<DoctorFinding, 'problem' | 'note'>;

/** Every engine that a setting names answers this service's credentials. Each has `timeLimit` milliseconds, so that a silent one hides no other. */
export const checkEngines = async (settings: PlatformSettings, clock: Clock, timeLimit = TIME_LIMIT): Promise<readonly DoctorFinding[]> => {
  const checks: readonly (readonly [string, Engine, (() => Promise<Answer>) | undefined])[] = [
    ['ESDB_URL', 'ESDB', eventStoreCheck(settings, clock)],
    ['KAFKA_BROKERS', 'KAFKA', kafkaCheck(settings)],
    ['REDIS_URL', 'REDIS', redisCheck(settings, clock)],
    ['POSTGRES_URL', 'POSTGRES', postgresqlCheck(settings)],
  ];
  const findings = checks.map(async ([setting, engine, check]): Promise<readonly DoctorFinding[]> => {
    if (check === undefined) return [];
    const answer = await within(timeLimit, check()).catch((error: unknown) => `${explainFailure(error, engine)}.`);
    const { problem, note } = typeof answer === 'object' ? answer : { problem: answer };
    return [{ subject: setting, ...(problem !== undefined && { problem: `${setting}: ${problem}` }), ...(note !== undefined && { note }) }];
  });
  return (await Promise.all(findings)).flat();
};

const explainFailure = (error: unknown, engine: Engine): string =>
  error instanceof TimedOut
    ? 'the engine did not answer in time. Check that it runs, that a cluster has a leader, and that no firewall is in between'
    : (explainRefusal(error, engine) ?? 'the engine does not answer. Check the address, the firewall, and that it runs');

const eventStoreCheck = (settings: PlatformSettings, clock: Clock) => {
  const { esdbUrl } = settings;
  if (esdbUrl === undefined) return undefined;
  return async (): Promise<Answer> => {
    let refusal: string | undefined;
    const store = await openEventStoreDb({
      connectionString: esdbUrl,
      access: eventStoreAccess(settings),
      refused: (reason) => (refusal ??= reason),
      clock,
      randomness: new SystemRandomness(),
    });
    try {
      await store.check();
      return judgeEventStore(await store.serverVersion());
    } catch (error) {
      if (refusal === undefined) throw error;
      return `${refusal}.`;
    } finally {
      await store.close();
    }
  };
};

const kafkaCheck = (settings: PlatformSettings) => {
  const kafka = kafkaSettings(settings, 'countersign-doctor');
  return (
    kafka &&
    (async (): Promise<string | undefined> => {
      const { brokers } = await askKafka(kafka, new SilentLog());
      const replication = settings.kafkaReplication;
      return replication !== undefined && replication > brokers
        ? `KAFKA_REPLICATION is ${replication}, and there are ${brokers} brokers. Set it to ${brokers} at most, or add brokers.`
        : undefined;
    })
  );
};

/** The oldest release that the job queues work with. */
const REDIS_MAJOR = 7;

const redisCheck = (settings: PlatformSettings, clock: Clock) => {
  const access = redisAccess(settings);
  return (
    access &&
    (async (): Promise<string | undefined> => {
      const redis = connectRedis(access, { lazyConnect: true, maxRetriesPerRequest: 0, retryStrategy: () => null, connectTimeout: 5_000 });
      let failure: unknown;
      redis.on('error', (error: unknown) => (failure = error));
      try {
        const [seconds] = await redis.time();
        const [, version = '0'] = /redis_version:(\d+)/.exec(await redis.info('server')) ?? [];
        if (Number(version) < REDIS_MAJOR) return `Redis ${version} is too old. Install Redis ${REDIS_MAJOR} or later.`;
        return clockProblem(Number(seconds) * 1000, clock.now());
      } catch (error) {
        throw failure ?? error;
      } finally {
        redis.disconnect();
      }
    })
  );
};

const postgresqlCheck = (settings: PlatformSettings) => {
  const access = postgresqlAccess(settings);
  return (
    access &&
    (async (): Promise<string | undefined> => {
      let refusal: string | undefined;
      const readModels = openPostgresqlReadModels({ ...access, report: () => undefined, refused: (reason) => (refusal = reason) });
      try {
        await readModels.query((database) => database.selectNoFrom((eb) => eb.val(1).as('one')).execute());
        return undefined;
      } catch (error) {
        if (refusal === undefined) throw error;
        return `${refusal}.`;
      } finally {
        await readModels.close();
      }
    })
  );
};
