import { expectOk, type Phone, pause, RelyingParty, type Service, Staff } from '../../support/index.js';
import type { Topology } from '../../../testkit/topologies/topology.ts';
import type { ServiceProcess } from '../../../testkit/processes/service-process.ts';
import { violations } from './checker.js';
import { type DistributedOptions, startDistributed } from './distributed.js';
import { Journal } from './journal.js';
import { OverlapDetector } from './overlap-detector.js';
import { untilAnswered } from './retry.js';
import { inTurns, type KnownSession, storedSessions } from './stored-sessions.js';
import { LONGEST_THOUGHT_OF_SEVERAL, SteadyLoad } from './steady-load.js';
import { deliveryViolations, orderViolations, requiredMessages } from './webhook-checker.js';
import { Endpoint } from './webhook-endpoint.js';
import { refusesSome, WebhookReceiver } from './webhook-receiver.js';

const USERS = 4;
/** Longer than the replicas take to notice a dead process (25 s), and than the schedules take for a message that is refused once. Milliseconds. */
const TIME_LIMIT = 120_000;
const CHECK_INTERVAL = 3_000;

/** The distributed profile, a client with three webhook endpoints, its users, and all their sessions. */
export class WebhookRig {
  readonly lanes = new OverlapDetector();
  readonly sessions: KnownSession[] = [];

  private constructor(
    readonly topology: Topology,
    readonly service: Service,
    readonly staff: Staff,
    readonly client: RelyingParty,
    readonly phones: readonly Phone[],
    readonly endpoints: Endpoint[],
  ) {}

  static async start(name: string, settings: Readonly<Record<string, string>>, engines: DistributedOptions = {}): Promise<WebhookRig> {
    const { topology, service } = await startDistributed(name, settings, engines);
    const staff = new Staff(service);
    const client = await RelyingParty.register(service);
    const phones = await Promise.all(Array.from({ length: USERS }, () => staff.newPhone()));
    const rig = new WebhookRig(topology, service, staff, client, phones, []);
    const behaviours = {
      'takes everything': rig.lanes.behave,
      'refuses some': refusesSome((response) => void response.writeHead(500).end()),
      'cuts some off': refusesSome((response) => void response.destroy()),
    };
    for (const [each, behave] of Object.entries(behaviours)) {
      rig.endpoints.push(await Endpoint.add(staff, client, { name: each, receiver: await WebhookReceiver.open({ behave }) }));
    }
    return rig;
  }

  get dispatchers(): readonly ServiceProcess[] {
    return this.topology.of('webhook-dispatcher');
  }

  /** How many messages have come. */
  get messages(): number {
    return this.endpoints.reduce((sum, { receiver }) => sum + receiver.received.length, 0);
  }

  async stop(): Promise<void> {
    for (const { receiver } of this.endpoints) receiver.close();
    await this.topology.kill();
  }

  /** Users log in during the fault. Returns the contradictions in the history of their sessions, one line each. */
  async underLoad(fault: () => Promise<void>): Promise<readonly string[]> {
    const journal = new Journal();
    const load = new SteadyLoad(journal, LONGEST_THOUGHT_OF_SEVERAL);
    for (const phone of this.phones) load.add(this.client, phone);
    try {
      await fault();
    } finally {
      await load.stop();
    }
    const sessions = load.attempts.flatMap(({ client, login }) => (login ? [{ client, sessionId: login.sessionId }] : []));
    this.sessions.push(...sessions);
    return [...load.refusals, ...violations(journal, await storedSessions(this.staff, sessions))];
  }

  /** How many events the store holds of all these sessions, and of others. */
  async events(others: readonly string[]): Promise<number> {
    let count = 0;
    await inTurns([...this.sessions.map(({ sessionId }) => sessionId), ...others], async (sessionId) => {
      count += (expectOk(await untilAnswered(() => this.staff.timeline(sessionId)))['events'] as readonly unknown[]).length;
    });
    return count;
  }

  /** Violations of I5, I6 and the order of the lanes in all sessions so far, once the deliveries that can end soon have ended. */
  async webhookViolations(): Promise<readonly string[]> {
    const required = await requiredMessages(
      this.staff,
      this.sessions.map(({ sessionId }) => sessionId),
    );
    const found: string[] = [];
    for (const endpoint of this.endpoints) {
      found.push(...(await this.#settled(endpoint, required)));
    }
    const { name, receiver } = this.endpoints[0]!;
    return [
      ...found,
      ...orderViolations({ name, received: receiver.received }),
      ...this.lanes.overlaps.map((sessionId) => `lane: two messages at once of ${sessionId}`),
    ];
  }

  /** Waits also for events that were not handed over yet. */
  async #settled(endpoint: Endpoint, required: Awaited<ReturnType<typeof requiredMessages>>): Promise<readonly string[]> {
    for (const giveUpAt = Date.now() + TIME_LIMIT; ; await pause(CHECK_INTERVAL)) {
      const found = deliveryViolations(required, await endpoint.history());
      if (found.length === 0 || Date.now() > giveUpAt) return found;
    }
  }
}
