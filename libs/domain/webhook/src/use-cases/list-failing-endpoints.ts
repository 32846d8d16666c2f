import type { WebhookEndpoint, WebhookEndpoints } from '#domain/relying-party';
import { ClientNotFound } from '#domain/relying-party';

import type { DeliveryRows, FailingLog } from '../read-models/delivery-rows.js';

export interface FailingEndpoint extends FailingLog, Pick<WebhookEndpoint, 'url'> {
  readonly disabledBecause: Exclude<WebhookEndpoint['disabledBecause'], 'STAFF'>;
}

/** The webhook endpoints of all clients at which the last attempt did not succeed, also those that the service has switched off for that. */
export class ListFailingEndpoints {
  constructor(
    private readonly rows: DeliveryRows,
    private readonly endpoints: WebhookEndpoints,
  ) {}

  /** Those first that fail for the longest time; without those that were removed, or that staff or a member has switched off. Throws ReadModelsUnavailable. */
  async execute(limit: number): Promise<readonly FailingEndpoint[]> {
    const failing: FailingEndpoint[] = [];
    for (const log of await this.rows.failing(limit)) {
      const endpoint = (await this.#of(log)).find(({ endpointId }) => endpointId === log.endpointId);
      if (endpoint && endpoint.disabledBecause !== 'STAFF') failing.push({ ...log, url: endpoint.url, disabledBecause: endpoint.disabledBecause });
    }
    return failing;
  }

  async #of({ clientId }: FailingLog): Promise<readonly WebhookEndpoint[]> {
    try {
      return await this.endpoints.of(clientId);
    } catch (error) {
      if (error instanceof ClientNotFound) return [];
      throw error;
    }
  }
}
