import { eventually } from '#testkit/kernel/eventually';

import { type RelyingParty, RelyingParty as Client, type Staff } from '../../support/index.js';
import { answers } from './receiver-faults.js';
import { untilAnswered } from './retry.js';
import { inTurns } from './stored-sessions.js';
import { type Delivery, deliveryViolations, requiredMessages } from './webhook-checker.js';
import { Endpoint } from './webhook-endpoint.js';
import { type Behave, takesEverything, WebhookReceiver } from './webhook-receiver.js';

const TIME_LIMIT = 150_000;
/** Seconds. */
const TEST_DURATION = 150;

export interface BacklogTerms {
  /** Endpoints whose server is down: the first attempts fail, and then the service pauses its attempts. */
  readonly away: number;
  /** Endpoints that always answer 429 with the longest Retry-After: 10 s and then 10 minutes. */
  readonly busy: number;
}

/** Sessions that their client has cancelled while none of its webhook endpoints took messages: each is pending at each endpoint. */
export class WebhookBacklog {
  #isBack = false;

  private constructor(
    private readonly staff: Staff,
    private readonly client: RelyingParty,
    readonly away: Endpoint[],
    readonly busy: Endpoint[],
    readonly sessionIds: string[],
  ) {}

  static async open(staff: Staff, service: RelyingParty['service'], { away, busy }: BacklogTerms): Promise<WebhookBacklog> {
    const client = await Client.register(service);
    const backlog = new WebhookBacklog(staff, client, [], [], []);
    const untilBack: Behave = (exchange) => (backlog.#isBack || exchange.attempt > 1 ? takesEverything : answers(503))(exchange);
    for (let number = 1; number <= away; number++) backlog.away.push(await backlog.#endpoint(`away ${number}`, untilBack));
    for (let number = 1; number <= busy; number++)
      backlog.busy.push(await backlog.#endpoint(`busy ${number}`, answers(429, { 'retry-after': '3600' })));
    return backlog;
  }

  /** Resolves when so many more sessions have been cancelled, and are pending at each endpoint that answers 429. */
  async grow(sessions: number): Promise<void> {
    await inTurns(Array.from({ length: sessions }), () => this.#calledOff());
    const wanted = this.sessionIds.length * this.busy.length;
    let pending = 0;
    await eventually(async () => (pending = (await this.#pendingAt(this.busy)).length) === wanted, {
      what: () => `${wanted} deliveries pending, at last ${pending}`,
      within: TIME_LIMIT,
    });
  }

  /** The pending deliveries. `later`: those that were answered 429 and are not due within the time of a test. */
  async pending(): Promise<{ readonly all: readonly Delivery[]; readonly later: readonly Delivery[] }> {
    const all = await this.#pendingAt([...this.away, ...this.busy]);
    const soon = Date.now() / 1_000 + TEST_DURATION;
    return { all, later: all.filter(({ attempts, nextAttemptAt = 0 }) => nextAttemptAt > soon && attempts.every(({ status }) => status === 429)) };
  }

  /** The ids of the messages that arrived at the endpoints that are up again. */
  arrived(): ReadonlySet<string> {
    return new Set(this.away.flatMap(({ receiver }) => receiver.received.flatMap(({ id, taken }) => (taken ? [id] : []))));
  }

  /** From here on the servers that were down accept everything. */
  comeBack(): void {
    this.#isBack = true;
  }

  /** Violations of I5 and I6 in the deliveries to the endpoints that are up again. */
  async violations(): Promise<readonly string[]> {
    const required = await requiredMessages(this.staff, this.sessionIds);
    const found: string[] = [];
    for (const endpoint of this.away) {
      await endpoint.settled(TIME_LIMIT);
      found.push(...deliveryViolations(required, await endpoint.history()));
    }
    return found;
  }

  close(): void {
    for (const { receiver } of [...this.away, ...this.busy]) receiver.close();
  }

  async #pendingAt(endpoints: readonly Endpoint[]): Promise<readonly Delivery[]> {
    const all: Delivery[] = [];
    for (const endpoint of endpoints) all.push(...(await endpoint.deliveries()).filter(({ state }) => state === 'pending'));
    return all;
  }

  async #endpoint(name: string, behave: Behave): Promise<Endpoint> {
    return Endpoint.add(this.staff, this.client, { name, receiver: await WebhookReceiver.open({ behave }), eventTypes: ['session.cancelled'] });
  }

  async #calledOff(): Promise<void> {
    const login = await this.client.login();
    const { status, text } = await untilAnswered(() => this.client.cancel(login));
    if (status !== 204) throw new Error(`cancel: ${status} ${text}`);
    this.sessionIds.push(login.sessionId);
  }
}
