import { join } from 'node:path';

import { InvalidArguments, isGuarded, readOrCreateFile } from '#service/config';
import { type ClientId, InvalidRequest } from '#kernel';
import type { Platform } from '#service/platform';

import { parseStoredJson } from '../parse-stored-json.js';

/** The client of an application that its developer runs on the same machine. */
export interface OwnClient {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUris: readonly string[];
}

type Credentials = Pick<OwnClient, 'clientId' | 'clientSecret'>;

const TERMS = {
  name: 'Your application',
  allowedAttributes: ['name', 'givenName', 'familyName', 'dateOfBirth', 'country', 'email'],
  allowedPredicates: ['ageOver18', 'ageOver21'],
  dynamicQr: false,
  verificationCode: true,
};

/**
 * The client with at least these redirect URIs. It is registered once: its credentials are stored in `client.json` in `DATA_DIR`, readable by the owner only, and further redirect URIs
 * are added to it. Throws {@link InvalidArguments} with the sentence of the registry for a redirect URI that it refuses, and in a guarded environment.
 */
export const ownClient = async (platform: Platform, redirectUris: readonly string[]): Promise<OwnClient> => {
  const { environment, dataDirectory } = platform.settings;
  if (isGuarded(environment))
    throw new InvalidArguments(
      `--client is for ENVIRONMENT development and test, and this one is ${environment}. Register the client in the portal.`,
    );
  return namingTheArgument(async () => {
    const path = join(dataDirectory, 'client.json');
    const make = async (): Promise<string> => `${JSON.stringify(await register(platform, redirectUris), null, 2)}\n`;
    const credentials = parseStoredJson(path, await readOrCreateFile(path, platform.randomness, make)) as Credentials;
    return { ...credentials, redirectUris: await withRedirectUris(platform, credentials.clientId as ClientId, redirectUris) };
  });
};

/** Turns the registry's refusal of a redirect URI into {@link InvalidArguments}. */
export const namingTheArgument = <Answer>(work: () => Promise<Answer>): Promise<Answer> =>
  work().catch((error: unknown) => {
    throw error instanceof InvalidRequest ? new InvalidArguments(`--client: ${error.detail ?? error.reason}`) : error;
  });

const register = async ({ useCases }: Platform, redirectUris: readonly string[]): Promise<Credentials> => {
  const { clientId, clientSecret } = await useCases.relyingParties().registerClient.execute({ ...TERMS, redirectUris: [...new Set(redirectUris)] });
  return { clientId, clientSecret: clientSecret.reveal() };
};

/** All redirect URIs of the client, after those that it lacked were added. */
const withRedirectUris = async ({ useCases }: Platform, clientId: ClientId, wanted: readonly string[]): Promise<readonly string[]> => {
  const { findClient, changeClient } = useCases.relyingParties();
  const present = (await findClient.execute(clientId))?.redirectUris ?? [];
  const all = [...new Set([...present, ...wanted])];
  if (all.length > present.length) await changeClient.execute(clientId, { redirectUris: all });
  return all;
};
