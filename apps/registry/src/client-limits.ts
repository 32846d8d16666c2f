import type { ClientId, EndpointId } from '#kernel';
import type { Platform } from '#service/platform';
import type { Limit, RateLimits } from '#engines/rate-limit';

/**
 * Limits the calls about one client that cost much work or send something to others. They hold for staff of every role and for members alike
 * (specification/conventions.md#rate-limits). Each method throws RateLimited and does not begin the work beyond its limit; work that fails is not counted.
 */
export class ClientLimits {
  readonly #limits: RateLimits;
  readonly #pings: Limit;
  readonly #recoveries: Limit;

  constructor({ rateLimits, settings }: Pick<Platform, 'rateLimits' | 'settings'>) {
    this.#limits = rateLimits;
    this.#pings = { name: 'webhook-pings', times: settings.webhookPingLimit, seconds: settings.webhookPingLimitWindow };
    this.#recoveries = { name: 'webhook-recoveries', times: settings.webhookRecoverLimit, seconds: settings.webhookRecoverLimitWindow };
  }

  /** Counts for each endpoint. The path names the client too, so that no client uses up the pings of another one's endpoint. */
  ping<Result>(clientId: ClientId, endpointId: EndpointId, work: () => Promise<Result>): Promise<Result> {
    return this.#counted(this.#pings, `${clientId} ${endpointId}`, 'too many pings of this endpoint', work);
  }

  /** Counts for each client, and lets one recovery run at a time, since each reads all sessions of the client in the span. */
  recover<Result>(clientId: ClientId, work: () => Promise<Result>): Promise<Result> {
    return this.#limits.runAlone({ name: 'webhook-recoveries', key: clientId, reason: 'a recovery of this client is under way' }, () =>
      this.#counted(this.#recoveries, clientId, 'too many recoveries of this client', work),
    );
  }

  /** Lets one upload for each client run at a time, since decoding a picture takes the processor. */
  uploadLogo<Result>(clientId: ClientId, work: () => Promise<Result>): Promise<Result> {
    return this.#limits.runAlone({ name: 'logo-uploads', key: clientId, reason: 'an upload of a logo of this client is under way' }, work);
  }

  async #counted<Result>(limit: Limit, key: string, reason: string, work: () => Promise<Result>): Promise<Result> {
    await this.#limits.take(limit, key, reason);
    try {
      return await work();
    } catch (error) {
      await this.#limits.giveBack(limit, key);
      throw error;
    }
  }
}
