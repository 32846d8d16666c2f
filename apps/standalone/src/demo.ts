import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { readOrCreateFile, type PlatformSettings } from '#service/config';
import { type ClientId, type IdentityId, parseId } from '#kernel';
import { IdentityExists, type PersonalData, SecurityRequired } from '#domain/identity';
import type { Platform } from '#service/platform';
import { NameTaken } from '#domain/relying-party';

import { startDemo } from '../../../examples/relying-party/src/index.js';
import { demoRedirectUri } from './demo-redirect-uri.js';
import { DEMO_WEBHOOK, seedDemoWebhook } from './demo-webhook.js';
import { parseStoredJson } from './parse-stored-json.js';

/** The credentials of the demo relying party. */
export interface DemoAccess {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
}

/** What the demo keeps in `DATA_DIR`, with {@link seedDemoWebhook}. */
const FILES = ['demo.json', 'demo-person', DEMO_WEBHOOK];

/** For a store that begins anew. */
export const forgetDemo = async ({ dataDirectory }: Pick<PlatformSettings, 'dataDirectory'>): Promise<void> => {
  for (const name of FILES) await rm(join(dataDirectory, name), { force: true });
};

const NAME = 'Harbour Library';

const PERSONS: readonly [PersonalData, ...PersonalData[]] = [
  { givenName: 'Mari', familyName: 'Maasikas', personalCode: '48001010001', dateOfBirth: '1980-01-01', country: 'EE', email: 'mari@demo.example' },
  { givenName: 'Jonas', familyName: 'Petrauskas', personalCode: '39506150002', dateOfBirth: '1995-06-15', country: 'LT' },
  { givenName: 'Anna', familyName: 'Kalniņa', personalCode: '280212-20003', dateOfBirth: '2012-02-28', country: 'LV' },
];

/** The demo's client, registered on the first start. Its credentials are stored in `demo.json`, readable by the owner only. */
export const seedDemo = async (platform: Platform): Promise<DemoAccess> => {
  const { dataDirectory, demoPort } = platform.settings;
  const path = join(dataDirectory, 'demo.json');
  const redirectUri = demoRedirectUri(demoPort);
  const stored = await readOrCreateFile(path, platform.randomness, () => registerDemoClient(platform, redirectUri));
  return redirectedTo(redirectUri, parseStoredJson(path, stored) as DemoAccess, platform);
};

/** A link that makes the web phone the phone of the demo's first person; undefined when that person is not registered, or has joined the portal under FOUR_EYES. */
export const phoneForDemo = async (platform: Platform): Promise<string | undefined> => {
  const identityId = await seedPersons(platform);
  return identityId && activationLink(platform, identityId);
};

/** Adds the redirect URI to the client when the demo listened on another port before. */
const redirectedTo = async (redirectUri: string, access: DemoAccess, platform: Platform): Promise<DemoAccess> => {
  const { findClient, changeClient } = platform.useCases.relyingParties();
  const clientId = access.clientId as ClientId;
  const client = await findClient.execute(clientId);
  if (client && !client.redirectUris.includes(redirectUri))
    await changeClient.execute(clientId, { redirectUris: [...client.redirectUris, redirectUri] });
  return { ...access, redirectUri };
};

/** Starts the demo relying party in this process, on a port of its own. */
export const startDemoServer = async (
  platform: Platform,
  { clientId, clientSecret, redirectUri }: DemoAccess,
): Promise<{ close(): Promise<void> }> => {
  const { settings, log, clock } = platform;
  const { host, demoPort: port, loginUrl, appUrl, appScheme } = settings;
  const webhookSecret = await seedDemoWebhook(platform, clientId as ClientId);
  const service = { baseUrl: internalBaseUrl(settings), loginUrl, appUrl, appScheme };
  const origin = new URL(redirectUri).origin;
  return startDemo({
    host,
    port,
    origin,
    clientId,
    clientSecret,
    name: NAME,
    service,
    log,
    now: () => clock.now(),
    ...(webhookSecret !== undefined && { webhookSecrets: [webhookSecret] }),
  });
};

/** The address under which the demo's server calls the service: this process directly if it listens on loopback, without the gateway. */
const internalBaseUrl = ({ host, port, baseUrl }: PlatformSettings): string =>
  ['127.0.0.1', 'localhost', '0.0.0.0'].includes(host) ? `http://127.0.0.1:${port}` : baseUrl;

const registerDemoClient = async (platform: Platform, redirectUri: string): Promise<string> => {
  const { registerClient } = platform.useCases.relyingParties();
  const terms = {
    redirectUris: [redirectUri],
    allowedAttributes: ['name', 'givenName', 'familyName', 'dateOfBirth', 'country', 'email'],
    allowedPredicates: ['ageOver18', 'ageOver21'],
    dynamicQr: false,
    verificationCode: true,
  };
  const { clientId, clientSecret } = await registerClient.execute({ ...terms, name: NAME }).catch((error: unknown) => {
    // An interrupted start registered the name, but its secret is lost.
    if (error instanceof NameTaken) return registerClient.execute({ ...terms, name: `${NAME} ${platform.randomness.bytes(2).toString('hex')}` });
    throw error;
  });
  const access: DemoAccess = { clientId, clientSecret: clientSecret.reveal(), redirectUri };
  return `${JSON.stringify(access, null, 2)}\n`;
};

/** The id of the first person, registered on the first start; undefined when that start was interrupted. */
const seedPersons = async ({ settings, randomness, useCases }: Platform): Promise<IdentityId | undefined> => {
  const { registerIdentity } = useCases.identity();
  const register = (person: PersonalData) =>
    registerIdentity.execute(person).catch((error: unknown) => {
      if (error instanceof IdentityExists) return '';
      throw error;
    });
  const [first, ...others] = PERSONS;
  const stored = await readOrCreateFile(join(settings.dataDirectory, 'demo-person'), randomness, () => register(first));
  for (const person of others) await register(person);
  return parseId<IdentityId>(stored);
};

/**
 * A link that enrols the web phone for the person. It is valid once, for 15 minutes. Undefined when the person has joined the portal and two administrators have to ask: the
 * reader of the terminal, who has ADMIN_TOKEN, is one.
 */
const activationLink = async (platform: Platform, identityId: IdentityId): Promise<string | undefined> => {
  const { issueActivationCode } = platform.useCases.phones();
  const { appUrl, fourEyes } = platform.settings;
  const issued = await issueActivationCode.execute(identityId, { bySecurity: !fourEyes }).catch((error: unknown) => {
    if (error instanceof SecurityRequired) return undefined;
    throw error;
  });
  return issued && `${appUrl}/#activate=${issued.activationCode.reveal()}`;
};
