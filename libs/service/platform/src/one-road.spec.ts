import { basename } from 'node:path';

import { productSources } from '#testkit/inventories/product-sources';

/** What appends around the unit of work, and why it may. Engines append by what they are: the store itself, and what compares or follows it from below the unit. */
const AROUND: Readonly<Record<string, string>> = {
  'apps/sandbox/src/phones/scripted-phones.ts': 'a fact: the newest one is the phone as it is',
  'libs/domain/administration/src/loss-acceptance/watch-loss-acceptance.ts': 'a fact, stored while the guard refuses every work',
  'libs/domain/administration/src/repositories/portal-sessions.ts': 'a fact, by which a person finds the own sessions',
  'libs/domain/identity/src/repositories/devices.ts': 'takes up the state that a work has just stored, with one try',
  'libs/domain/identity/src/repositories/inbox.ts': 'a fact: readers count each session once',
  'libs/domain/session/src/repositories/signing-log.ts': 'a fact: readers count each session once',
  'libs/domain/session/src/repositories/signing-results.ts':
    'holds containers, of which no process keeps a memory; the first event of each type counts',
  'libs/domain/webhook/src/delivery/delivery-log.ts': 'decides on tables, for five hundred deliveries at once, in a queue of its own',
  'libs/engines/message-bus/src/embedded/dead-letter-stream.ts': 'an engine below the unit',
  'libs/engines/message-bus/src/embedded/group-offset.ts': 'an engine below the unit',
  'libs/engines/transparency-log/src/checkpoint-writer.ts': 'an engine below the unit',
  'libs/service/platform/src/keys-in-use.ts': 'no work stores anything before the keys agree',
  'libs/service/platform/src/store-environment.ts': 'no work stores anything before the environment agrees',
  'libs/service/platform/src/trust-service-health.ts': 'a note, for which no request waits',
};

/** The use cases of a phone whose work does not look at the phone, and why. */
const WITHOUT_PHONE: Readonly<Record<string, string>> = {
  'decline-session.ts': 'ends only what the phone has scanned, also where it is locked; a revocation ends that, too',
  'find-session-client.ts': 'a read',
  'list-own-devices.ts': 'a read',
  'preview-session.ts': 'a read',
  'revoke-own-device.ts': 'decides on the phone itself, by its PIN',
  'revoke-this-device.ts': 'decides on the phone itself',
};

/** Code of the services outside of the store. */
const SOURCES = productSources().filter(
  ({ path }) => /^(apps\/[^/]+|libs\/.+)\/src\//.test(path) && !path.startsWith('libs/engines/event-store/src/') && !path.startsWith('libs/clients/'),
);
const APPENDS = /\b(?:decideAndAppend|appendFact)[<(]|\b(?:s|eventS)tore\.append(?:Together)?\(/;

describe('the road of decisions', () => {
  it('is the unit of work: what appends around it says why', () => {
    const appending = SOURCES.filter(({ text }) => APPENDS.test(text) || /\bextends ForwardingEventStore\b/.test(text));
    const coats = appending.filter(({ text }) => text.includes('extends ForwardingEventStore')).map(({ path }) => path);
    expect(coats.toSorted()).toEqual([
      'libs/engines/transparency-log/src/anchored-event-store.ts',
      'libs/service/platform/src/key-checked-event-store.ts',
      'libs/service/platform/src/measured-event-store.ts',
    ]);
    const around = appending.map(({ path }) => path).filter((path) => !coats.includes(path));
    expect(around.toSorted()).toEqual(Object.keys(AROUND).toSorted());
  });

  it('is one for each process: the platform makes it, and what runs beside a service', () => {
    const making = (call: string) =>
      SOURCES.flatMap(({ path, text }) =>
        text
          .split(call)
          .slice(1)
          .map(() => path),
      );
    expect(making('new UnitOfWork(')).toEqual(['libs/service/platform/src/unit-of-work-over.ts']);
    expect(making('unitOfWorkOver(').toSorted()).toEqual([
      // Commands, each a process of its own.
      'libs/service/platform/src/ask-loss-acceptance.ts',
      'libs/service/platform/src/open-break-glass.ts',
      // The second one is for a store that is not compared with what was published: it accepts a loss.
      'libs/service/platform/src/open-platform.ts',
      'libs/service/platform/src/open-platform.ts',
    ]);
  });

  it('does not run through applications: only the relay decides, on the lease that it holds', () => {
    const decides = /\b(?:unitOfWork|unit)\.run\(|\bnew CommandHandler\(|\b(?:decideOnLast|reserve)\(/;
    const deciding = SOURCES.filter(({ text }) => decides.test(text)).map(({ path }) => path);
    expect(deciding.filter((path) => path.startsWith('apps/'))).toEqual(['apps/event-relay/src/lease.ts']);
    expect(deciding.length).toBeGreaterThan(25);
  });

  it('takes the phone along where a phone decides, so that the commit proves it', () => {
    const ofPhones = SOURCES.filter(
      ({ path, text }) => /\/use-cases\//.test(path) && /^  (?:async )?\w+\((?:[^)]*\W)?(?:device|sender|[{}\w, :]+): (?:Pick<)?Device\b/m.test(text),
    );
    const proving = ofPhones.filter(({ text }) => /enrolmentProof(?:\.|\n\s*\.)present(?:In)?\(/.test(text)).map(({ path }) => basename(path));
    expect(proving.toSorted()).toEqual([
      ...['block-client.ts', 'confirm-session.ts', 'log-out-at-client.ts', 'renew-certificate.ts', 'scan-session.ts', 'subscribe-to-push.ts'],
    ]);
    const others = ofPhones.map(({ path }) => basename(path)).filter((file) => !proving.includes(file));
    expect(others.toSorted()).toEqual(Object.keys(WITHOUT_PHONE).toSorted());
  });

  it('begins at the one place that makes repositories and use cases of the domain', () => {
    const classes = productSources()
      .filter(({ path }) => /^libs\/domain\/[^/]+\/src\/(use-cases|repositories)\//.test(path))
      .flatMap(({ text }) => [...text.matchAll(/^export class (\w+)(?! extends \w*Error)/gm)].map(([, name = '']) => name));
    expect(classes.length).toBeGreaterThan(100);
    const makes = new RegExp(`\\bnew (${classes.join('|')})\\(`, 'g');
    const made = SOURCES.filter(({ path }) => !path.startsWith('libs/domain/')).flatMap(({ path, text }) =>
      [...text.matchAll(makes)].map(([, name = '']) => ({ path, name })),
    );
    expect(made.length).toBeGreaterThan(0);
    expect(made.filter(({ path }) => path !== 'libs/service/platform/src/use-cases.ts')).toEqual([]);
  });
});
