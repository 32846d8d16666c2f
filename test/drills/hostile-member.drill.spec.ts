import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { blocks, header, pixels, pngOf } from '#testkit/relying-party/pictures';

import { pause, PortalBrowser, RelyingParty, Staff, StandaloneService } from '../support/index.js';
import { HostileMember } from './support/hostile-member.js';
import { Journal } from './support/journal.js';
import { SteadyLoad } from './support/steady-load.js';
import { WebhookReceiver } from './support/webhook-receiver.js';

/** How long the member goes on: `HOSTILE_SECONDS=300` is the whole drill. Seconds. */
const HOSTILE_SECONDS = Number(process.env['HOSTILE_SECONDS'] ?? 20);
/** How long the neighbour is alone before and afterwards. Seconds. */
const QUIET_SECONDS = Math.min(HOSTILE_SECONDS, 10);
const USERS = 10;
/** The longest pause of a user between two logins, in milliseconds: with ten users some thirty logins a second on a quiet machine. */
const THOUGHT = 500;
/** Milliseconds between two looks of the neighbour's member at the portal: a hundred lists a minute, within the budget of one person. */
const ASK_EVERY = 600;

/** What the service lets one member do, whatever the speed: specification/conventions.md#rate-limits. */
const APPROVALS = { times: 30, seconds: 600 };
const PINGS = { times: 1, seconds: 10 };
const RECOVERIES = { times: 6, seconds: 3_600 };
const ENDPOINTS = 20;
const PORTAL_LOGINS = { times: 60, seconds: 60 };
/** Events of such a stream before the member begins. */
const AT_FIRST = 20;
const MIB = 1024 * 1024;
/** Of resident memory that the process may take beside that of before. */
const MEMORY = 512 * MIB;

/** How many fit into the run: one window more than it spans. */
const most = ({ times, seconds }: { readonly times: number; readonly seconds: number }): number =>
  times * (Math.ceil((HOSTILE_SECONDS + 2 * QUIET_SECONDS) / seconds) + 1);

let service: StandaloneService;
let staff: Staff;
let bank: RelyingParty;
let teller: PortalBrowser;
let load: SteadyLoad;
let receiver: WebhookReceiver;
let mallory: HostileMember;

beforeAll(async () => {
  const limits = {
    AUTHENTICATION_FAILURE_LIMIT: '300',
    WEBHOOK_PING_LIMIT: String(PINGS.times),
    WEBHOOK_RECOVER_LIMIT: String(RECOVERIES.times),
  };
  service = await StandaloneService.start('hostile-member', { ...limits, SANDBOX: 'false', LOG_LEVEL: 'warn', SESSION_TTL: '600' });
  staff = new Staff(service);
  receiver = await WebhookReceiver.open();
  bank = await RelyingParty.register(service);
  const { link } = await staff.ask('POST', `/clients/${bank.clientId}/invitations`, { label: 'teller', role: 'owner' });
  teller = new PortalBrowser(service.loginOrigin);
  await teller.logIn(service, await staff.newPhone(), String(link));
  load = new SteadyLoad(new Journal(), THOUGHT);
  for (let user = 0; user < USERS; user += 1) load.add(bank, await staff.newPhone());
  const pictures = { costly: blocks(512).toString('base64'), bomb: pngOf(header(64, 64), header(30_000, 30_000), pixels(1, 1)).toString('base64') };
  mallory = await HostileMember.join({ service, staff, portal: service.loginOrigin, pictures, receiver: receiver.url });
});
afterAll(async () => {
  await mallory?.stop();
  await load?.stop();
  receiver?.close();
  await service?.kill();
});

/** Resident memory of the process in bytes. */
const memory = (): number => Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${service.pid}/status`, 'latin1'))?.[1] ?? 0) * 1024;

/** What the neighbour meets for so many seconds, and until its users have logged in. */
const watch = async (seconds: number) => {
  const seen = { logins: load.logins, statuses: new Map<number, number>(), times: [] as number[], lives: new Set<number>(), memory: 0 };
  const paths = ['/portal/v1/session', `/admin/v1/clients/${bank.clientId}`, `/admin/v1/clients/${bank.clientId}/members`, '/admin/v1/own/sessions'];
  const end = performance.now() + seconds * 1_000;
  for (; performance.now() < end || load.logins < seen.logins + USERS; await pause(ASK_EVERY)) {
    for (const path of paths) {
      const begun = performance.now();
      const { status } = await teller.call('GET', path);
      seen.times.push(performance.now() - begun);
      seen.statuses.set(status, (seen.statuses.get(status) ?? 0) + 1);
    }
    seen.lives.add((await service.sendUnchecked({ method: 'GET', path: '/livez' })).status);
    seen.memory = Math.max(seen.memory, memory());
  }
  const sorted = seen.times.toSorted((one, other) => one - other);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { ...seen, logins: load.logins - seen.logins, p50: at(0.5), p99: at(0.99) };
};
const say = (what: string, { logins, p50, p99, memory: peak }: Awaited<ReturnType<typeof watch>>, seconds: number): void =>
  console.log(
    `${what}: ${(logins / seconds).toFixed(1)} logins a second, a call at the portal p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${Math.round(peak / MIB)} MiB`,
  );

/** What staff is told of the neighbour. */
const told = async (): Promise<readonly string[]> => {
  const paths = ['', '/logo', '/waiting-change', '/webhook-endpoints', '/members'];
  return Promise.all(paths.map(async (path) => (await staff.call('GET', `/clients/${bank.clientId}${path}`)).text));
};

/** The streams with the most events, of those that this member can make longer. */
const longest = (): readonly { readonly stream: string; readonly events: number }[] => {
  using database = new DatabaseSync(join(service.dataDirectory, 'countersign.sqlite'), { readOnly: true });
  const query =
    'SELECT s.name AS stream, COUNT(*) AS events FROM events e JOIN streams s ON s.id = e.stream WHERE e.erased = 0 GROUP BY s.name ORDER BY events DESC LIMIT 12';
  return database.prepare(query).all() as { stream: string; events: number }[];
};
const eventsOf = (stream: string): number => {
  using database = new DatabaseSync(join(service.dataDirectory, 'countersign.sqlite'), { readOnly: true });
  const query = 'SELECT COUNT(*) AS events FROM events e JOIN streams s ON s.id = e.stream WHERE s.name = ? AND e.erased = 0';
  return (database.prepare(query).get(stream) as { events: number }).events;
};

describe('one member of a tenant who does all that a member may, at full speed', () => {
  it('stops no login and no call of another tenant, has no more than the limits give, and leaves no cost', async () => {
    const [before, was] = [memory(), await told()];
    const alone = await watch(QUIET_SECONDS);
    say('alone', alone, QUIET_SECONDS);

    mallory.begin();
    const beside = await watch(HOSTILE_SECONDS);
    await mallory.stop();
    say(`beside the member, for ${HOSTILE_SECONDS} s`, beside, HOSTILE_SECONDS);
    const after = await watch(QUIET_SECONDS);
    say('afterwards', after, QUIET_SECONDS);
    const answered = [...mallory.answers].map(
      ([deed, statuses]) => `${deed}: ${[...statuses].map(([status, times]) => `${times} × ${status}`).join(', ')}`,
    );
    // The neighbour: every login went on, every call was answered, nothing of it changed.
    await load.stop();
    expect([load.refusals, load.failures]).toEqual([[], []]);
    for (const { logins, statuses, lives } of [alone, beside, after]) {
      expect(logins).toBeGreaterThanOrEqual(USERS);
      expect([[...statuses.keys()], [...lives]]).toEqual([[200], [200]]);
    }
    expect(await told()).toEqual(was);

    // The member: each deed was answered, by an answer of the interface, and within the limits.
    expect(mallory.failures).toEqual([]);
    for (const [deed, statuses] of mallory.answers) {
      expect([deed, [...statuses.keys()].filter((status) => status >= 500 && status !== 503)]).toEqual([deed, []]);
      expect([deed, statuses.size > 0]).toEqual([deed, true]);
    }
    expect(mallory.count('asks for other tenants', 403)).toBe(mallory.count('asks for other tenants', ...ALL));
    expect(mallory.count('uploads a bomb', 200)).toBe(0);
    const approvals = ['invites, and approves it', 'switches a protection off, and approves it'];
    const asked = ['asks for another redirect URI', 'asks for another secret'];
    const ofApprovals = approvals.reduce((sum, deed) => sum + mallory.count(deed, 200, 201), 0);
    expect(ofApprovals + asked.reduce((sum, deed) => sum + mallory.count(deed, 202), 0)).toBeLessThanOrEqual(most(APPROVALS));
    expect(mallory.count('pings', 202)).toBeLessThanOrEqual(most(PINGS) * ENDPOINTS);
    expect(mallory.count('recovers', 202)).toBeLessThanOrEqual(most(RECOVERIES));
    expect(mallory.count('adds an endpoint', 201)).toBeLessThanOrEqual(ENDPOINTS);
    expect(mallory.count('begins logins at the portal', 200)).toBeLessThanOrEqual(most(PORTAL_LOGINS));
    expect(beside.memory - before).toBeLessThan(MEMORY);

    // What stays, of streams that requests read from their beginning: no more than the approvals give, an invitation and its end or a switch there and back for each.
    await service.stop();
    console.log([...answered, ...longest().map(({ stream, events }) => `${stream}: ${events} events`)].join('\n'));
    for (const stream of ['portalmembers-all', `client-${mallory.client.clientId}`])
      expect([stream, eventsOf(stream) <= AT_FIRST + 2 * most(APPROVALS)]).toEqual([stream, true]);
  });
});

/** Every status of an answer. */
const ALL = Array.from({ length: 500 }, (_, status) => 100 + status);
