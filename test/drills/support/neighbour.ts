import { pause, PortalBrowser, RelyingParty, type Service, type Staff } from '../../support/index.js';
import { Journal } from './journal.js';
import { SteadyLoad } from './steady-load.js';

/** The longest pause of a user between two logins, in milliseconds. */
const THOUGHT = 500;
/** Milliseconds between two looks of a member at the portal: a hundred lists a minute, within the budget of one person. */
const ASK_EVERY = 600;
/** Members at the portal. Of one alone there were two hundred calls in half a minute, whose slowest hundredth is two. */
const MEMBERS = 4;
const MIB = 1024 * 1024;

/** Milliseconds. */
export interface Times {
  readonly p50: number;
  readonly p99: number;
}

/** What a neighbour met for a while. */
export interface Met {
  readonly seconds: number;
  readonly logins: number;
  readonly ofLogins: Times;
  /** Of calls at the portal. */
  readonly ofCalls: Times;
  /** The statuses of those calls. */
  readonly statuses: ReadonlySet<number>;
  /** The statuses of `/livez` of all processes. */
  readonly lives: ReadonlySet<number>;
  /** The most resident memory that was seen, in bytes. */
  readonly memory: number;
}

export interface Neighbourhood {
  readonly service: Service;
  readonly staff: Staff;
  /** Where the portal is. */
  readonly portal: string;
  /** Of the neighbour. They should leave most of the machine free: ten are some thirty logins a second in one process. */
  readonly users: number;
  /** Of each process of the service. */
  readonly processes: readonly string[];
  /** Resident memory of the process that has the most, in bytes. */
  readonly memory: () => number;
}

/** Another tenant of the same service: users who log in one time after the other, and members who look at the portal. */
export class Neighbour {
  /** Every refusal, and every failure in place of an answer, that its users met. */
  get faults(): readonly string[] {
    return [...this.load.refusals, ...this.load.failures];
  }

  private constructor(
    private readonly at: Neighbourhood,
    private readonly client: RelyingParty,
    private readonly members: readonly PortalBrowser[],
    private readonly load: SteadyLoad,
  ) {}

  static async settle(at: Neighbourhood): Promise<Neighbour> {
    const { service, staff, portal, users } = at;
    const client = await RelyingParty.register(service);
    const members: PortalBrowser[] = [];
    for (let number = 0; number < MEMBERS; number += 1) {
      const { link } = await staff.ask('POST', `/clients/${client.clientId}/invitations`, { label: `teller-${number}`, role: 'owner' });
      const member = new PortalBrowser(portal);
      await member.logIn(service, await staff.newPhone(), String(link));
      members.push(member);
    }
    const load = new SteadyLoad(new Journal(), THOUGHT);
    for (let user = 0; user < users; user += 1) load.add(client, await staff.newPhone());
    return new Neighbour(at, client, members, load);
  }

  /** Resolves after so many more whole logins. */
  async loggedIn(times: number): Promise<void> {
    for (const before = this.load.times.length; this.load.times.length < before + times;) await pause(ASK_EVERY);
  }

  /** What it meets for so many seconds, and until as many logins as it has users have ended. */
  async watch(seconds: number): Promise<Met> {
    const { clientId } = this.client;
    const paths = ['/portal/v1/session', `/admin/v1/clients/${clientId}`, `/admin/v1/clients/${clientId}/members`, '/admin/v1/own/sessions'];
    const [before, begun] = [this.load.times.length, performance.now()];
    const [calls, statuses, lives] = [[] as number[], new Set<number>(), new Set<number>()];
    let memory = 0;
    const goesOn = (): boolean => performance.now() < begun + seconds * 1_000 || this.load.times.length < before + this.at.users;
    const look = async (member: PortalBrowser): Promise<void> => {
      for (; goesOn(); await pause(ASK_EVERY)) {
        for (const path of paths) {
          const asked = performance.now();
          statuses.add((await member.call('GET', path)).status);
          calls.push(performance.now() - asked);
        }
      }
    };
    const looks = this.members.map(look);
    for (; goesOn(); await pause(ASK_EVERY)) {
      for (const process of this.at.processes) lives.add((await fetch(`${process}/livez`)).status);
      memory = Math.max(memory, this.at.memory());
    }
    await Promise.all(looks);
    const logins = this.load.times.slice(before);
    const took = (performance.now() - begun) / 1_000;
    return { seconds: took, logins: logins.length, ofLogins: timesOf(logins), ofCalls: timesOf(calls), statuses, lives, memory };
  }

  /** What staff is told of it. */
  told(): Promise<readonly string[]> {
    const paths = ['', '/logo', '/waiting-change', '/webhook-endpoints', '/members'];
    return Promise.all(paths.map(async (path) => (await this.at.staff.call('GET', `/clients/${this.client.clientId}${path}`)).text));
  }

  /** Resolves when each user has finished the current login. */
  stop(): Promise<void> {
    return this.load.stop();
  }
}

/** One line about what was met, with its relation to each time that it is compared with. */
export const inWords = (what: string, { seconds, logins, ofLogins, ofCalls, memory }: Met, ...others: readonly Met[]): string => {
  const each = ofMilliseconds(
    ofLogins,
    others.map((other) => other.ofLogins),
  );
  const call = ofMilliseconds(
    ofCalls,
    others.map((other) => other.ofCalls),
  );
  return `${what}: ${(logins / seconds).toFixed(1)} logins a second, each ${each}; a call at the portal ${call}; ${Math.round(memory / MIB)} MiB`;
};

const ofMilliseconds = ({ p50, p99 }: Times, others: readonly Times[]): string => {
  const relations = others.map((other) => (p99 / other.p99).toFixed(2)).join(' and ');
  return `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms${relations && ` (${relations} times)`}`;
};

const timesOf = (times: readonly number[]): Times => {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
};
