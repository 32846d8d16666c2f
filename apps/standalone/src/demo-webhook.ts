import { join } from 'node:path';

import { readOrCreateFile } from '#service/config';
import { type ClientId, type EndpointId, InvalidRequest } from '#kernel';
import type { Platform } from '#service/platform';
import { EndpointNotFound, WEBHOOK_EVENT_TYPES } from '#domain/relying-party';

import { parseStoredJson } from './parse-stored-json.js';

/** In `DATA_DIR`. */
export const DEMO_WEBHOOK = 'demo-webhook.json';

interface DemoEndpoint {
  readonly endpointId: EndpointId;
  readonly secret: string;
}

/**
 * The secret of the demo's webhook endpoint, added on the first start and stored in `demo-webhook.json`. Undefined when webhooks may not reach
 * loopback or the endpoint was removed: the demo then receives no webhooks.
 */
export const seedDemoWebhook = async (platform: Platform, clientId: ClientId): Promise<string | undefined> => {
  const { dataDirectory, demoPort } = platform.settings;
  const { addWebhookEndpoint, changeWebhookEndpoint, confirmOwnReceiver } = platform.useCases.webhooks();
  const terms = { url: `http://127.0.0.1:${demoPort}/webhooks`, disabledBecause: null };
  const make = async (): Promise<string> => {
    const { endpoint, secret } = await addWebhookEndpoint.execute(clientId, { ...terms, eventTypes: WEBHOOK_EVENT_TYPES });
    const made: DemoEndpoint = { endpointId: endpoint.endpointId, secret: secret.reveal() };
    return `${JSON.stringify(made, null, 2)}\n`;
  };
  try {
    const path = join(dataDirectory, DEMO_WEBHOOK);
    const { endpointId, secret } = parseStoredJson(path, await readOrCreateFile(path, platform.randomness, make)) as DemoEndpoint;
    // The demo may have listened on another port, or the endpoint may have been disabled after days of failures.
    await changeWebhookEndpoint.execute(clientId, endpointId, terms);
    await confirmOwnReceiver.execute(clientId, endpointId);
    return secret;
  } catch (error) {
    if (error instanceof InvalidRequest || error instanceof EndpointNotFound) return undefined;
    throw error;
  }
};
