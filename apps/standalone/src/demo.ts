import { join } from 'node:path';

import { keptFile, type PlatformSettings } from '#config';
import { type ClientId, type IdentityId, parseId } from '#kernel';
import { IdentityExists, identityUseCases, type PersonalData } from '#identity';
import type { Platform } from '#platform';
import { NameTaken, relyingPartyUseCases } from '#relying-party';

import { startDemo } from '../../../examples/relying-party/src/index.js';
import { seedDemoWebhook } from './demo-webhook.js';

/** What the demo relying party logs people in with. */
export interface DemoAccess {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
}

const NAME = 'Harbour Library';

const PERSONS: readonly [PersonalData, ...PersonalData[]] = [
  { givenName: 'Mari', familyName: 'Maasikas', personalCode: '48001010001', dateOfBirth: '1980-01-01', country: 'EE', email: 'mari@demo.example' },
  { givenName: 'Jonas', familyName: 'Petrauskas', personalCode: '39506150002', dateOfBirth: '1995-06-15', country: 'LT' },
  { givenName: 'Anna', familyName: 'Kalniņa', personalCode: '280212-20003', dateOfBirth: '2012-02-28', country: 'LV' },
];

/** The demo's client, made on the first start. The credentials are kept in `demo.json`, readable by the owner only. */
export const seedDemo = async (platform: Platform): Promise<DemoAccess> => {
  const { dataDirectory, demoPort } = platform.settings;
  const path = join(dataDirectory, 'demo.json');
  const redirectUri = new URL('/callback', `http://localhost:${demoPort}`).href;
  const kept = await keptFile(path, platform.randomness, () => registerDemoClient(platform, redirectUri));
  return redirectedTo(redirectUri, JSON.parse(kept) as DemoAccess, platform);
};

/** Where somebody without a phone gets one: a link to the web phone for the demo's first person. */
export const phoneForDemo = async (platform: Platform): Promise<string | undefined> => {
  const identityId = await seedPersons(platform);
  return identityId && activationLink(platform, identityId);
};

/** The demo may have listened on another port when it was made. */
const redirectedTo = async (redirectUri: string, access: DemoAccess, platform: Platform): Promise<DemoAccess> => {
  const { findClient, changeClient } = relyingPartyUseCases(platform);
  const clientId = access.clientId as ClientId;
  const client = await findClient.execute(clientId);
  if (client && !client.redirectUris.includes(redirectUri)) await changeClient.execute(clientId, { redirectUris: [...client.redirectUris, redirectUri] });
  return { ...access, redirectUri };
};

/** The demo relying party itself, in this process but behind a port of its own. */
export const startDemoServer = async (platform: Platform, { clientId, clientSecret, redirectUri }: DemoAccess): Promise<{ close(): Promise<void> }> => {
  const { settings, log, clock } = platform;
  const { host, demoPort: port, loginUrl, appUrl, appScheme } = settings;
  const webhookSecret = await seedDemoWebhook(platform, clientId as ClientId);
  const service = { baseUrl: besides(settings), loginUrl, appUrl, appScheme };
  const origin = new URL(redirectUri).origin;
  return startDemo({ host, port, origin, clientId, clientSecret, name: NAME, service, log, now: () => clock.now(), ...(webhookSecret !== undefined && { webhookSecrets: [webhookSecret] }) });
};

/** What the demo's server calls: this process itself, where that listens on loopback, whatever stands between it and the browsers. */
const besides = ({ host, port, baseUrl }: PlatformSettings): string =>
  ['127.0.0.1', 'localhost', '0.0.0.0'].includes(host) ? `http://127.0.0.1:${port}` : baseUrl;

const registerDemoClient = async (platform: Platform, redirectUri: string): Promise<string> => {
  const { registerClient } = relyingPartyUseCases(platform);
  const terms = {
    redirectUris: [redirectUri],
    allowedAttributes: ['name', 'givenName', 'familyName', 'dateOfBirth', 'country', 'email'],
    allowedPredicates: ['ageOver18', 'ageOver21'],
    dynamicQr: false,
  };
  const { clientId, clientSecret } = await registerClient.execute({ ...terms, name: NAME }).catch((error: unknown) => {
    // A start that was broken off took the name, and nobody knows its secret.
    if (error instanceof NameTaken) return registerClient.execute({ ...terms, name: `${NAME} ${platform.randomness.bytes(2).toString('hex')}` });
    throw error;
  });
  const access: DemoAccess = { clientId, clientSecret: clientSecret.reveal(), redirectUri };
  return `${JSON.stringify(access, null, 2)}\n`;
};

/** The id of the first person, who was made on the first start; undefined when that start was broken off. */
const seedPersons = async ({ settings, randomness, ...platform }: Platform): Promise<IdentityId | undefined> => {
  const { registerIdentity } = identityUseCases({ settings, randomness, ...platform });
  const register = (person: PersonalData) =>
    registerIdentity.execute(person).catch((error: unknown) => {
      if (error instanceof IdentityExists) return '';
      throw error;
    });
  const [first, ...others] = PERSONS;
  const kept = await keptFile(join(settings.dataDirectory, 'demo-person'), randomness, () => register(first));
  for (const person of others) await register(person);
  return parseId<IdentityId>(kept);
};

/** Makes the web phone one of the first person's: opened within 15 minutes, and once. */
const activationLink = async (platform: Platform, identityId: IdentityId): Promise<string> => {
  const { activationCode } = await identityUseCases(platform).issueActivationCode.execute(identityId);
  return `${platform.settings.appUrl}/#activate=${activationCode.reveal()}`;
};
