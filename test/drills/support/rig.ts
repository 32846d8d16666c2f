import { setTimeout as sleep } from 'node:timers/promises';

import { type Phone, RelyingParty, type Service, Staff } from '../../support/index.js';
import type { Topology } from '../../../testkit/topologies/topology.ts';
import { BusTap } from './bus-tap.js';
import { type DistributedOptions, startDistributed } from './distributed.js';
import { History } from './history.js';
import { untilAnswered } from './retry.js';
import { secrecyViolations, strangerViolations } from './secrecy-checker.js';

export interface RigOptions extends DistributedOptions {
  readonly settings?: Readonly<Record<string, string>>;
  readonly users: number;
}

/** Long, so that no session expires because a drill takes long. Seconds. */
const LIFETIMES = { SESSION_TTL: '900', CODE_TTL: '900', HANDOFF_TTL: '900' };

/** Milliseconds. */
const LEAVE_TIME = 5_000;

/** Sessions of each history that another client asks for. */
const ASKED_FOR = 100;

/** The distributed topology of a drill file, its users, and their history. */
export class Rig {
  readonly staff: Staff;
  readonly tap: BusTap;
  readonly histories: History[] = [];

  private constructor(
    private readonly name: string,
    readonly topology: Topology,
    readonly service: Service,
    readonly clients: readonly RelyingParty[],
    readonly phones: readonly Phone[],
  ) {
    this.staff = new Staff(service);
    this.tap = new BusTap(topology.settings['KAFKA_BROKERS']!.split(','));
  }

  static async start(name: string, { settings = {}, users, ...engines }: RigOptions): Promise<Rig> {
    const { topology, service } = await startDistributed(name, { ...LIFETIMES, ...settings }, engines);
    try {
      const staff = new Staff(service);
      const clients = await Promise.all([1, 2].map(() => RelyingParty.register(service)));
      const phones = await Promise.all(Array.from({ length: users }, () => staff.newPhone()));
      return new Rig(name, topology, service, clients, phones);
    } catch (error) {
      await topology.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    await this.quiet();
    await this.topology.kill();
  }

  /** Stops the users that a failed drill has left behind. */
  async quiet(): Promise<void> {
    await Promise.race([Promise.all(this.histories.map(({ load }) => load.stop())), sleep(LEAVE_TIME, undefined, { ref: false })]);
  }

  /** A history with users who log in until its load is stopped. */
  underLoad(): History {
    const history = new History(this.staff, this.tap);
    this.histories.push(history);
    this.phones.forEach((phone, index) => history.load.add(this.clients[index % this.clients.length]!, phone));
    return history;
  }

  /** The invariants over all histories together: I8 and I9. */
  async secrecyViolations(): Promise<readonly string[]> {
    const other = await RelyingParty.register(this.service);
    const stranger: Parameters<typeof strangerViolations>[0] = { status: (session) => untilAnswered(() => other.status(session)) };
    const sessionIds = this.histories.flatMap(({ sessions }) => sessions.slice(0, ASKED_FOR).map(({ sessionId }) => sessionId));
    const records = await this.tap.read(await this.tap.topics());
    return [...(await strangerViolations(stranger, sessionIds)), ...secrecyViolations(this.name, records)];
  }
}
