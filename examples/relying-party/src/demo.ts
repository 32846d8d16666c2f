import { RelyingPartyClient } from '#clients/relying-party';

import { BrowserSessions } from './browser-sessions.js';
import type { DemoLog, DemoOptions } from './demo-options.js';
import { Logins } from './logins.js';
import { builtAssets, type PageAssets } from './page-assets.js';
import { ReturnValues } from './return-values.js';
import { Signings } from './signings.js';
import type { Visitor } from './visitor.js';
import { WebhookInbox } from './webhook-inbox.js';

/** The parts that all routes use. */
export interface Demo {
  readonly origin: string;
  readonly name: string;
  readonly service: DemoOptions['service'];
  readonly attributes: readonly string[];
  readonly predicates: readonly string[];
  readonly client: RelyingPartyClient;
  readonly logins: Logins;
  readonly signings: Signings;
  readonly returnValues: ReturnValues;
  readonly sessions: BrowserSessions<Visitor>;
  readonly inbox: WebhookInbox;
  readonly webhookSecrets: readonly string[];
  readonly assets: PageAssets;
  readonly log: DemoLog;
  readonly now: () => number;
  /** Aborted when the demo stops, which ends all waiting. */
  readonly closing: AbortSignal;
}

const SILENT: DemoLog = { info: () => {}, warn: () => {}, error: () => {} };

/** Throws a TypeError for options that would not be safe. */
export const createDemo = (options: DemoOptions, closing: AbortSignal): Demo => {
  const { origin, clientId, clientSecret, service, now = Date.now } = options;
  if (new URL(origin).origin !== origin) throw new TypeError('origin must be scheme, host and port, and nothing else');
  const client = new RelyingPartyClient({ baseUrl: service.baseUrl, clientId, clientSecret });
  const returnValues = new ReturnValues(now);
  const secure = isSecure(origin);
  return {
    origin,
    service,
    client,
    returnValues,
    name: options.name ?? 'Harbour Library',
    attributes: options.attributes ?? ['name', 'dateOfBirth', 'country', 'email'],
    predicates: options.predicates ?? ['ageOver18', 'ageOver21'],
    logins: new Logins({ client, returnValues, origin, service }),
    signings: new Signings({ client, origin, service }),
    // Cookies do not distinguish ports, so on plain localhost the port is part of the name.
    sessions: new BrowserSessions({ secure, cookieName: secure ? '__Host-visitor' : `visitor-${new URL(origin).port}`, now }),
    inbox: new WebhookInbox(),
    webhookSecrets: options.webhookSecrets ?? [],
    assets: builtAssets(),
    log: options.log ?? SILENT,
    now,
    closing,
  };
};

export const isSecure = (origin: string): boolean => origin.startsWith('https:');
