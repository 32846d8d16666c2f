import { type ClientId, Secret } from '#kernel';
import { ATTRIBUTE_NAMES, type ClientTerms, NameTaken } from '#domain/relying-party';
import type { Platform } from '#service/platform';

/** The client of every sandbox (specification/sandbox.md#what-is-there-from-the-start). Its secret is public, and a service without the sandbox withdraws it. */
export const SEEDED_CLIENT = {
  clientId: '5a4db000-0000-4000-8000-000000000001' as ClientId,
  clientSecret: new Secret('sandbox-secret-that-only-a-sandbox-accepts'),
};

/** What a client of the sandbox has unless a request says otherwise: whatever a relying party may want to try. */
export const SANDBOX_TERMS = {
  redirectUris: [],
  allowedAttributes: [...ATTRIBUTE_NAMES],
  allowedPredicates: ['ageOver*'],
  dynamicQr: false,
  requirePushedAuthorizationRequests: false,
} as const satisfies Omit<ClientTerms, 'name'>;

/** The client, as it was in the beginning, with these redirect URIs. Throws {@link InvalidRequest} for a redirect URI that no client may have. */
export const seedClient = async ({ useCases }: Pick<Platform, 'useCases'>, redirectUris: readonly string[]): Promise<void> => {
  const { registerClient, keepClient, findClient, enableClient } = useCases.relyingParties();
  const terms: ClientTerms = { ...SANDBOX_TERMS, name: 'Sandbox', redirectUris };
  await registerClient.execute(terms, SEEDED_CLIENT).catch((error: unknown) => {
    // Registered by an earlier start, or the name was taken before there was this client.
    if (!(error instanceof NameTaken)) throw error;
  });
  const { clientId, clientSecret } = SEEDED_CLIENT;
  await keepClient.execute(clientId, terms, clientSecret);
  if (!(await findClient.execute(clientId))?.enabled) await enableClient.execute(clientId, true);
};

/** The secret of the client is public, so a service that is no sandbox does not accept it: a start without the sandbox, on the data of one. */
export const withdrawSeededClient = async ({ useCases }: Pick<Platform, 'useCases'>): Promise<void> => {
  const { findClient, enableClient } = useCases.relyingParties();
  if ((await findClient.execute(SEEDED_CLIENT.clientId))?.enabled) await enableClient.execute(SEEDED_CLIENT.clientId, false);
};
