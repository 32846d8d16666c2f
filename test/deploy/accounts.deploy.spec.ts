import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { loadPlatformSettings } from '#service/config';

import { component, environmentOf, type KubernetesObject, ofKind, podOf, render } from './support/chart.ts';

const RIGHTS = join(import.meta.dirname, '../../deploy/rights');
const OWN = 'accounts-values.yaml';

/** The names that a file of deploy/rights gives rights to. */
const granted = (file: string, name: RegExp): readonly string[] => {
  const found = [...readFileSync(join(RIGHTS, file), 'utf8').matchAll(name)].flatMap(([, names = '']) => names.match(/[a-z-]+/g) ?? []);
  return [...new Set(found)].filter((one) => one !== 'operator').sort();
};

const usersIn = (objects: readonly KubernetesObject[]) => {
  const userOf = (url: string | undefined): string => (url === undefined ? '' : decodeURIComponent(new URL(url).username));
  return ofKind(objects, 'Deployment').map((deployment) => {
    const { esdbUrl, kafkaUser, redisUrl, postgresUrl } = loadPlatformSettings(environmentOf(objects, podOf(deployment).containers[0]));
    return { service: component(deployment), eventStore: userOf(esdbUrl), kafka: kafkaUser, redis: userOf(redisUrl), postgres: userOf(postgresUrl) };
  });
};

const secretsOf = (deployment: KubernetesObject): Record<string, string | undefined> =>
  Object.fromEntries(podOf(deployment).volumes.map(({ name, secret }) => [name, secret?.secretName]));

describe('the accounts of the services in the engines', () => {
  it('are their own in every engine, as the files of rights name them', () => {
    const users = usersIn(render(OWN));
    expect(users).toHaveLength(10);
    for (const { service, postgres, ...others } of users) {
      expect({ service, ...others }).toEqual({ service, eventStore: service, kafka: service, redis: service });
      expect(['', service]).toContain(postgres);
    }
    const names = (engine: 'kafka' | 'redis' | 'postgres') => users.flatMap((one) => (one[engine] ? [one[engine]] : []));
    expect(names('kafka')).toEqual(expect.arrayContaining([...granted('kafka.sh', /^(?:allow|consumer) ([a-z-]+) /gm)]));
    expect([...names('redis')].sort()).toEqual(granted('redis.acl', /^ACL SETUSER ([a-z-]+) /gm));
    expect(granted('postgresql.sql', /IN ARRAY ARRAY\[(.*)\]/g)).toEqual(expect.arrayContaining(names('postgres')));
  });

  it('have secrets of their own, and no service mounts that of another', () => {
    for (const deployment of ofKind(render(OWN), 'Deployment')) {
      const { 'event-store': store, kafka, redis, postgres } = secretsOf(deployment);
      const own = `countersign-${component(deployment)}`;
      expect([store, kafka, redis, postgres ?? own]).toEqual([own, own, own, own]);
    }
  });

  it('are those by which KEDA reads the backlog of a service', () => {
    const objects = render(OWN);
    const byName = new Map(ofKind(objects, 'TriggerAuthentication').map(({ metadata, spec }) => [metadata.name, spec]));
    expect([...byName.keys()].sort()).toEqual([
      'demo-signing-kafka',
      'demo-timers-kafka',
      'demo-webhook-dispatcher-kafka',
      'demo-webhook-dispatcher-redis',
    ]);
    for (const object of ofKind(objects, 'ScaledObject'))
      for (const { type, metadata, authenticationRef } of object.spec.triggers as readonly Trigger[]) {
        const { env, secretTargetRef } = byName.get(authenticationRef.name) as Authentication;
        expect(secretTargetRef.map(({ name }) => name)).toEqual(secretTargetRef.map(() => `countersign-${component(object)}`));
        // KEDA reads the variable of the service's own pod; the user of Redis has no variable.
        expect(type === 'kafka' ? env : metadata.username).toEqual(
          type === 'kafka' ? [{ parameter: 'username', name: 'KAFKA_USER' }] : component(object),
        );
      }
  });

  it('are one for all where none is named, and one service may have its own', () => {
    const shared = render('minimal-values.yaml');
    for (const { service, postgres, ...users } of usersIn(shared)) {
      expect({ service, ...users }).toEqual({ service, eventStore: 'countersign', kafka: 'countersign', redis: 'countersign' });
      expect(['', 'countersign']).toContain(postgres);
    }
    const some = render('minimal-values.yaml', { 'engines.kafka.accounts': { signing: { user: 'sealer', secret: 'sealer-kafka' } } });
    expect(usersIn(some).filter(({ kafka }) => kafka !== 'countersign')).toMatchObject([{ service: 'signing', kafka: 'sealer', redis: 'countersign' }]);
    const mounted = ofKind(some, 'Deployment').map((deployment) => [component(deployment), secretsOf(deployment)['kafka']]);
    expect(mounted.filter(([, secret]) => secret !== 'countersign-kafka')).toEqual([['signing', 'sealer-kafka']]);
  });
});

interface Trigger {
  readonly type: string;
  readonly metadata: { readonly username?: string };
  readonly authenticationRef: { readonly name: string };
}

interface Authentication {
  readonly env?: readonly object[];
  readonly secretTargetRef: readonly { readonly name: string }[];
}
