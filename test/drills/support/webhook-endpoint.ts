import { proveEndpoint } from '#testkit/webhook/prove-endpoint';

import { expectOk, pause, type RelyingParty, type Staff } from '../../support/index.js';
import { untilAnswered } from './retry.js';
import { type Delivery, type EndpointHistory, TERMINAL } from './webhook-checker.js';
import type { WebhookReceiver } from './webhook-receiver.js';

export interface EndpointTerms {
  readonly name: string;
  readonly receiver: WebhookReceiver;
  /** Default: the receiver's own address. */
  readonly url?: string;
  readonly eventTypes?: readonly string[];
}

/** A webhook endpoint and the server behind it. */
export class Endpoint {
  readonly #proofs = new Set<string>();

  private constructor(
    private readonly staff: Staff,
    readonly path: string,
    readonly name: string,
    readonly receiver: WebhookReceiver,
  ) {}

  /** Adds an endpoint whose receiver has proved itself. */
  static async add(staff: Staff, { clientId }: RelyingParty, { name, receiver, url = receiver.url, eventTypes }: EndpointTerms): Promise<Endpoint> {
    const list = `/clients/${clientId}/webhook-endpoints`;
    const { endpointId, secret } = await staff.ask('POST', list, { url, ...(eventTypes && { event_types: eventTypes }) });
    const endpoint = new Endpoint(staff, `${list}/${endpointId as string}`, name, receiver);
    const ping = async (): Promise<void> => void endpoint.#proofs.add(await endpoint.ping());
    await proveEndpoint({ receiver: receiver.proof, secret: secret as string, ping, shown: () => endpoint.shown() });
    return endpoint;
  }

  /** All of them but the proofs, the newest first. */
  async deliveries(): Promise<readonly Delivery[]> {
    const found: Delivery[] = [];
    for (let after = ''; ;) {
      const page = expectOk(await untilAnswered(() => this.staff.call('GET', `${this.path}/deliveries?limit=100${after}`)));
      found.push(...(page['deliveries'] as Delivery[]).filter(({ deliveryId }) => !this.#proofs.has(deliveryId)));
      if (page['next'] === undefined) return found;
      after = `&after=${page['next'] as string}`;
    }
  }

  async history(): Promise<EndpointHistory> {
    return { name: this.name, deliveries: await this.deliveries(), received: this.receiver.received };
  }

  /** Its entry in the list of endpoints; empty if it is not listed. */
  async shown(): Promise<Record<string, unknown>> {
    const [list = '', endpointId] = this.path.split(/\/(?=[^/]+$)/);
    const { webhookEndpoints } = await this.staff.ask('GET', `${list}?limit=100`);
    return (webhookEndpoints as Record<string, unknown>[]).find((each) => each['endpointId'] === endpointId) ?? {};
  }

  async ping(): Promise<string> {
    return (await this.staff.ask('POST', `${this.path}/ping`))['deliveryId'] as string;
  }

  change(changes: Record<string, unknown>): Promise<Record<string, unknown>> {
    return this.staff.ask('PATCH', this.path, changes);
  }

  /** All deliveries, once there are some and all have ended; after so many milliseconds however they stand. */
  async settled(timeLimit: number): Promise<readonly Delivery[]> {
    for (const giveUpAt = Date.now() + timeLimit; ; await pause(500)) {
      const deliveries = await this.deliveries();
      if (deliveries.length > 0 && deliveries.every(({ state }) => TERMINAL.has(state))) return deliveries;
      if (Date.now() > giveUpAt) return deliveries;
    }
  }
}
