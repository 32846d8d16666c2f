import { type Clock, type Randomness, type Sealer, Secret } from '#kernel';
import { signingSecrets, type WebhookEndpoint } from '#domain/relying-party';

import type { Delivery } from '../domain/delivery.js';
import { signedMessage } from '../domain/message-body.js';
import { failureOf, foremostOf, foreignSecrets, type ProofFailure, type ProofPing, proofPings } from '../domain/proof.js';
import { traced } from './attempt-span.js';
import type { GuardedPost, PostOutcome } from './guarded-post.js';

export interface ProofExchangeParts {
  readonly post: Pick<GuardedPost, 'send'>;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly randomness: Randomness;
}

/** Sends the pings of one proof, one after another, so that a receiver never has two of them at once. */
export class ProofExchange {
  constructor(private readonly parts: ProofExchangeParts) {}

  /**
   * Why the receiver has not proved that it verifies signatures; undefined when it has. Ends early where a ping has no answer, so that a host which does not
   * answer is tried once; all other hosts get all pings. `'interrupted'`: the signal ended it, and nothing is known.
   */
  async execute(endpoint: WebhookEndpoint, delivery: Delivery, signal: AbortSignal): Promise<ProofFailure | 'interrupted' | undefined> {
    const failures: ProofFailure[] = [];
    for (const ping of proofPings(this.parts.randomness)) {
      const outcome = await this.#send(endpoint, delivery, ping, signal);
      if (signal.aborted && 'error' in outcome) return 'interrupted';
      const failure = failureOf(ping, outcome);
      if (failure?.because === 'NO_ANSWER') return failure;
      if (failure) failures.push(failure);
    }
    return foremostOf(failures);
  }

  #send(endpoint: WebhookEndpoint, delivery: Delivery, { id, signed }: ProofPing, signal: AbortSignal): Promise<PostOutcome> {
    const { post, sealer, clock, randomness } = this.parts;
    const { endpointId, url } = endpoint;
    const now = clock.now();
    const own = signingSecrets(endpoint, now);
    const secrets =
      signed === 'rightly' ? own.map((sealed) => new Secret(sealer.open<string>(sealed, endpointId))) : foreignSecrets(randomness, own.length);
    return traced(endpointId, delivery, (trace) => {
      const { headers, body } = signedMessage(id, delivery.message, secrets, now);
      return post.send({ url, headers: { ...headers, ...trace }, body, signal });
    });
  }
}
