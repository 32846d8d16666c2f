import { type ClientId, type Clock, type EndpointId, type Pause, pause } from '#kernel';
import { ClientNotFound, EndpointNotFound, type WebhookEndpoint, type WebhookEndpoints } from '#domain/relying-party';

import type { Delivery } from '../domain/delivery.js';
import type { DeliveryEnd } from '../domain/delivery.events.js';
import type { ProofFailure } from '../domain/proof.js';
import { nextProofAt } from '../domain/proof-schedule.js';
import type { DeliveryLog } from '../delivery/delivery-log.js';
import { RetryLater } from '../delivery/endpoint-gate.js';
import type { ProofExchange } from '../delivery/proof-exchange.js';
import { untilStored } from '../delivery/until-stored.js';
import type { WebhookJobs } from '../delivery/webhook-jobs.js';

/** Told of each proof. */
export interface ProofObserver {
  proved(clientId: ClientId, endpointId: EndpointId, failure: ProofFailure | undefined): void;
}

export interface ProveEndpointParts {
  readonly jobs: Pick<WebhookJobs, 'schedule'>;
  readonly endpoints: WebhookEndpoints;
  readonly exchange: Pick<ProofExchange, 'execute'>;
  readonly clock: Clock;
  readonly observer: ProofObserver;
  readonly pause?: Pause;
}

/** Milliseconds until a proof is tried again that waits for another one of its client. */
const PATIENCE = 2_000;

/** Lets a receiver prove that it verifies signatures: the endpoint is confirmed then, and gets what happens from that time on. */
export class ProveEndpoint {
  /** One proof of a client at a time, so that no client has many of its endpoints make calls to one host at once. */
  readonly #underWay = new Set<ClientId>();

  constructor(private readonly parts: ProveEndpointParts) {}

  /** Makes one try and records its outcome, as AttemptDelivery does with a message. {@link RetryLater} while another proof of the client is under way. */
  async execute(log: DeliveryLog, { deliveryId, attempt }: { deliveryId: string; attempt: number }, signal: AbortSignal): Promise<RetryLater | void> {
    await log.refresh();
    const delivery = log.get(deliveryId);
    if (delivery?.state !== 'pending') return;
    // The process died after the log and before the queue.
    if (delivery.attempts >= attempt) return this.parts.jobs.schedule(log, delivery);
    const endpoint = await this.#endpoint(log, delivery);
    const end = endWithoutTry(endpoint, delivery);
    if (!endpoint || end) return this.#end(log, delivery, end ?? 'disabled');
    if (this.#underWay.has(delivery.clientId)) return new RetryLater(this.parts.clock.now() + PATIENCE);
    this.#underWay.add(delivery.clientId);
    try {
      await this.#try(log, { delivery, endpoint, signal });
    } finally {
      this.#underWay.delete(delivery.clientId);
    }
  }

  async #try(
    log: DeliveryLog,
    { delivery, endpoint, signal }: { readonly delivery: Delivery; readonly endpoint: WebhookEndpoint; readonly signal: AbortSignal },
  ): Promise<void> {
    const proofId = endpoint.unconfirmed?.proofId ?? '';
    const failure = await this.parts.exchange.execute(endpoint, delivery, signal);
    if (failure === 'interrupted') throw new Error('the process stopped during the proof, which does not count');
    const counted = await this.#untilStored(() => this.#record(delivery.clientId, endpoint.endpointId, proofId, failure), signal);
    await this.#conclude(log, delivery, { failure, counted, signal });
    if (counted) this.parts.observer.proved(delivery.clientId, endpoint.endpointId, failure);
  }

  /** Whether the outcome counts: the endpoint exists, and has had this address since the proof began. */
  async #record(clientId: ClientId, endpointId: EndpointId, proofId: string, failure: ProofFailure | undefined): Promise<boolean> {
    const now = this.parts.clock.now();
    const outcome = { now, endpointId, proofId };
    try {
      const before = (await this.parts.endpoints.of(clientId)).find((each) => each.endpointId === endpointId);
      if (before?.unconfirmed?.proofId !== proofId) return false;
      const after = await this.parts.endpoints.handle(
        clientId,
        failure ? { type: 'FailWebhookProof', ...outcome, because: failure.because } : { type: 'ConfirmWebhookEndpoint', ...outcome },
      );
      const { unconfirmed } = after.find((each) => each.endpointId === endpointId) ?? {};
      return failure ? unconfirmed?.proofId === proofId : unconfirmed === undefined;
    } catch (error) {
      if (error instanceof ClientNotFound || error instanceof EndpointNotFound) return false; // removed meanwhile
      throw error;
    }
  }

  async #conclude(
    log: DeliveryLog,
    { deliveryId, attempts, tries, message }: Delivery,
    { failure, counted, signal }: { readonly failure: ProofFailure | undefined; readonly counted: boolean; readonly signal: AbortSignal },
  ): Promise<void> {
    const at = this.parts.clock.now();
    const nextAt = message.proof?.by === 'address' ? nextProofAt(message.happenedAt, tries + 1, at) : undefined;
    const next = !counted
      ? { end: 'superseded' as const }
      : !failure
        ? { end: 'succeeded' as const }
        : nextAt === undefined
          ? { end: 'exhausted' as const }
          : { nextAt };
    const data = { at, deliveryId, attempt: attempts + 1, ...(failure ? failure.outcome : {}), ...next };
    const after = await this.#untilStored(() => log.record({ type: 'DeliveryAttempted', data }), signal);
    const current = after ?? log.get(deliveryId);
    if (current) await this.parts.jobs.schedule(log, current);
    // The tries that were still to come are needed no more.
    if (counted && !failure) for (const other of [...log.pending()]) if (other.message.proof) await this.#end(log, other, 'superseded');
  }

  async #endpoint({ endpointId }: DeliveryLog, { clientId }: Delivery): Promise<WebhookEndpoint | undefined> {
    try {
      return (await this.parts.endpoints.of(clientId)).find((each) => each.endpointId === endpointId);
    } catch (error) {
      if (error instanceof ClientNotFound) return undefined;
      throw error;
    }
  }

  async #end(log: DeliveryLog, { deliveryId }: Delivery, end: DeliveryEnd): Promise<void> {
    await log.record({ type: 'DeliveryEnded', data: { at: this.parts.clock.now(), deliveryId, end } });
  }

  #untilStored<Result>(store: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    return untilStored(store, this.parts.pause ?? pause, signal);
  }
}

/** How a proof ends that is not tried: its endpoint is gone or disabled, or was confirmed, or has another address since. A request counts for a disabled endpoint too. */
const endWithoutTry = (endpoint: WebhookEndpoint | undefined, { message: { proof } }: Delivery): DeliveryEnd | undefined => {
  if (!endpoint) return 'disabled';
  if (!endpoint.unconfirmed) return 'superseded';
  if (proof?.by !== 'address') return undefined;
  if (proof.proofId !== endpoint.unconfirmed.proofId) return 'superseded';
  return endpoint.disabledBecause === null ? undefined : 'disabled';
};
