import { expect } from '@jest/globals';

import { blocks, header, pixels, pngOf } from '#testkit/relying-party/pictures';

import { HostileProcess } from './hostile-process.js';
import { inWords, type Met, Neighbour, type Neighbourhood } from './neighbour.js';

/** How long the member goes on: `HOSTILE_SECONDS=300` is the whole drill. Seconds. */
const HOSTILE_SECONDS = Number(process.env['HOSTILE_SECONDS'] ?? 20);
/** How long the neighbour is alone before and afterwards. Seconds. */
const QUIET_SECONDS = Math.min(HOSTILE_SECONDS / 2, 30);

/** Logins before the first measurement: code that a process runs for the first time is not compiled yet, and is many times slower. */
const WARM_UP_LOGINS = 300;

/** What the service lets one member do, whatever the speed: specification/conventions.md#rate-limits. */
const APPROVALS = { times: 30, seconds: 600 };
const PINGS = { times: 1, seconds: 10 };
const RECOVERIES = { times: 6, seconds: 3_600 };
const ENDPOINTS = 20;
const PORTAL_LOGINS = { times: 60, seconds: 60 };
/** Events of such a stream before the member begins. */
const AT_FIRST = 20;
/** Every status of an answer. */
const ALL = Array.from({ length: 500 }, (_, status) => 100 + status);

/** The settings that the drill is about; topologies of tests lift these limits. */
export const LIMITS = {
  AUTHENTICATION_FAILURE_LIMIT: '300',
  WEBHOOK_PING_LIMIT: String(PINGS.times),
  WEBHOOK_RECOVER_LIMIT: String(RECOVERIES.times),
};

/** The most events of a stream that requests read from its beginning: an invitation and its end, or a switch there and back, for each approval. */
export const mostEvents = (): number => AT_FIRST + 2 * most(APPROVALS);

export interface HostileRun {
  readonly mallory: HostileProcess;
  /** What the neighbour met: alone, beside the member, and afterwards. */
  readonly alone: Met;
  readonly beside: Met;
}

/** Lets one member do all that a member may beside a neighbour, and holds what both met against the limits. `receiver`: takes the member's webhooks. */
export const runHostileMember = async (at: Neighbourhood, receiver: string): Promise<HostileRun> => {
  const neighbour = await Neighbour.settle(at);
  const pictures = { costly: blocks(512).toString('base64'), bomb: pngOf(header(64, 64), header(30_000, 30_000), pixels(1, 1)).toString('base64') };
  const { baseUrls, loginUrl, adminToken, staleness } = at.service;
  const mallory = await HostileProcess.join({ service: { baseUrls, loginUrl, adminToken, staleness }, portal: at.portal, pictures, receiver });
  try {
    const was = await neighbour.told();
    await neighbour.loggedIn(WARM_UP_LOGINS);
    const alone = await neighbour.watch(QUIET_SECONDS);
    mallory.begin();
    const beside = await neighbour.watch(HOSTILE_SECONDS);
    await mallory.stop();
    const after = await neighbour.watch(QUIET_SECONDS);
    console.log(
      [
        inWords('alone', alone),
        inWords('beside the member', beside, alone, after),
        inWords('alone afterwards', after, alone),
        ...[...mallory.answers].map(([deed, statuses]) => `${deed}: ${[...statuses].map(([status, times]) => `${times} × ${status}`).join(', ')}`),
      ].join('\n'),
    );
    await neighbour.stop();
    expect(neighbour.faults).toEqual([]);
    for (const { statuses, lives } of [alone, beside, after]) expect([[...statuses], [...lives]]).toEqual([[200], [200]]);
    expect(await neighbour.told()).toEqual(was);
    expectWithinLimits(mallory);
    return { mallory, alone, beside };
  } finally {
    await mallory.stop();
    await neighbour.stop();
  }
};

/** Each deed was answered, by an answer of the interface, and not more often than the limits give. */
const expectWithinLimits = (mallory: HostileProcess): void => {
  expect(mallory.failures).toEqual([]);
  for (const [deed, statuses] of mallory.answers) {
    expect([deed, [...statuses.keys()].filter((status) => status >= 500 && status !== 503)]).toEqual([deed, []]);
    expect([deed, statuses.size > 0]).toEqual([deed, true]);
  }
  expect(mallory.count('asks for other tenants', 403, 429)).toBe(mallory.count('asks for other tenants', ...ALL));
  expect(mallory.count('uploads a bomb', 200)).toBe(0);
  const approved = ['invites, and approves it', 'switches a protection off, and approves it'];
  const asked = ['asks for another redirect URI', 'asks for another secret'];
  const approvals =
    approved.reduce((sum, deed) => sum + mallory.count(deed, 200, 201), 0) + asked.reduce((sum, deed) => sum + mallory.count(deed, 202), 0);
  expect(approvals).toBeLessThanOrEqual(most(APPROVALS));
  expect(mallory.count('pings', 202)).toBeLessThanOrEqual(most(PINGS) * ENDPOINTS);
  expect(mallory.count('recovers', 202)).toBeLessThanOrEqual(most(RECOVERIES));
  expect(mallory.count('adds an endpoint', 201)).toBeLessThanOrEqual(ENDPOINTS);
  expect(mallory.count('begins logins at the portal', 200)).toBeLessThanOrEqual(most(PORTAL_LOGINS));
};

/** How many fit into the run: one window more than it spans. */
function most({ times, seconds }: { readonly times: number; readonly seconds: number }): number {
  return times * (Math.ceil((HOSTILE_SECONDS + 2 * QUIET_SECONDS) / seconds) + 1);
}
