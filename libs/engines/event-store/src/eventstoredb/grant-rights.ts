import { type Credentials, END, type EventStoreDBClient, jsonEvent, StreamNotFoundError } from '@eventstore/db-client';

import { closeClient, openClient } from './client.js';

export interface RightsGrant {
  readonly connectionString: string;
  /** Of a user in `$admins`. */
  readonly credentials: Credentials;
  /** The group of the services' users. */
  readonly role: string;
}

/** Milliseconds that the client may take to close. */
const LEAVE_TIME = 1_000;

/**
 * Gives the role, beside administrators, the right to read and write every stream of users and to read `$all`, and takes it from all others: EventStoreDB knows no
 * rights by prefix. May be repeated. Throws the client's error, an AccessDeniedError for other users than administrators.
 */
export const grantRights = async ({ connectionString, credentials, role }: RightsGrant): Promise<void> => {
  const client = openClient(connectionString);
  try {
    const { metadata } = await client.getStreamMetadata('$all', { credentials });
    await client.setStreamMetadata('$all', { ...metadata, acl: { ...metadata?.acl, readRoles: [role] } }, { credentials });
    const rights = { $r: [role], $w: [role], $d: [role], $mr: [role], $mw: [role] };
    const settings = { ...(await settingsOf(client, credentials)), $userStreamAcl: rights };
    await client.appendToStream('$settings', jsonEvent({ type: '$settings', data: settings }), { credentials });
  } finally {
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([closeClient(client), new Promise((resolve) => (timer = setTimeout(resolve, LEAVE_TIME)))]).finally(() => clearTimeout(timer));
  }
};

/** The rights of the server's own streams stand in the same event. */
const settingsOf = async (client: EventStoreDBClient, credentials: Credentials): Promise<object> => {
  const options = { direction: 'backwards', fromRevision: END, maxCount: 1, credentials } as const;
  try {
    for await (const { event } of client.readStream('$settings', options)) return (event?.data ?? {}) as object;
  } catch (error) {
    if (!(error instanceof StreamNotFoundError)) throw error;
  }
  return {};
};
