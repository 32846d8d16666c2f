import { join } from 'node:path';

import { keptFile } from '#config';
import { type ClientId, type EndpointId, InvalidRequest } from '#kernel';
import type { Platform } from '#platform';
import { EndpointNotFound, WEBHOOK_EVENT_TYPES } from '#relying-party';
import { AddWebhookEndpoint, ChangeWebhookEndpoint, webhookAdministration } from '#webhook';

interface DemoEndpoint {
  readonly endpointId: EndpointId;
  readonly secret: string;
}

/**
 * The secret of the demo's webhook endpoint, which is made on the first start and kept in `demo-webhook.json`. Undefined when webhooks may not
 * reach loopback, or when somebody has removed the endpoint: then the demo is told nothing.
 */
export const seedDemoWebhook = async (platform: Platform, clientId: ClientId): Promise<string | undefined> => {
  const { dataDirectory, demoPort } = platform.settings;
  const administration = webhookAdministration(platform);
  const terms = { url: `http://127.0.0.1:${demoPort}/webhooks`, disabledBecause: null };
  const make = async (): Promise<string> => {
    const { endpoint, secret } = await useCase(administration, AddWebhookEndpoint).execute(clientId, { ...terms, eventTypes: WEBHOOK_EVENT_TYPES });
    const made: DemoEndpoint = { endpointId: endpoint.endpointId, secret: secret.reveal() };
    return `${JSON.stringify(made, null, 2)}\n`;
  };
  try {
    const { endpointId, secret } = JSON.parse(await keptFile(join(dataDirectory, 'demo-webhook.json'), platform.randomness, make)) as DemoEndpoint;
    // It may have listened on another port, or been away for days.
    await useCase(administration, ChangeWebhookEndpoint).execute(clientId, endpointId, terms);
    return secret;
  } catch (error) {
    if (error instanceof InvalidRequest || error instanceof EndpointNotFound) return undefined;
    throw error;
  }
};

const useCase = <T extends object>(all: readonly object[], type: abstract new (...parts: never[]) => T): T => {
  const found = all.find((each) => each instanceof type);
  if (!found) throw new Error(`${type.name} is not among the use cases`);
  return found as T;
};
