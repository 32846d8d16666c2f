import type { Answers } from './answers.js';

/** A relying party whose requests reach this person by code only (specification/app.md#blocked-clients). */
export type BlockedClient = Answers['GET /app/v1/blocked-clients']['clients'][number];

/** The relying party of a session. */
export type SessionClient = Answers['GET /app/v1/session/{sessionId}/client'];

/** Undefined unless it is the list of the service. */
export const readBlockedClients = ({ clients }: Readonly<Record<string, unknown>>): readonly BlockedClient[] | undefined =>
  Array.isArray(clients) ? clients.flatMap(readBlockedClient) : undefined;

/** Undefined unless it names the relying party. */
export const readSessionClient = ({ clientId, relyingPartyName }: Readonly<Record<string, unknown>>): SessionClient | undefined =>
  typeof clientId === 'string' && typeof relyingPartyName === 'string' ? { clientId, relyingPartyName } : undefined;

const readBlockedClient = (json: unknown): readonly BlockedClient[] => {
  if (typeof json !== 'object' || json === null) return [];
  const { blockedAt, reported, ...client } = json as Readonly<Record<string, unknown>>;
  const named = readSessionClient(client);
  return named && typeof blockedAt === 'number' ? [{ ...named, blockedAt, reported: reported === true }] : [];
};
