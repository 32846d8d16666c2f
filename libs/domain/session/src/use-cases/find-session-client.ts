import type { ClientId } from '#kernel';
import { type Device, DeviceLocked } from '#domain/identity';
import type { FindClient } from '#domain/relying-party';

import { findSessionFor } from '../repositories/find-session-for.js';
import type { Sessions } from '../repositories/sessions.js';

export interface SessionClient {
  readonly clientId: ClientId;
  /** Also of a client that is deleted. */
  readonly relyingPartyName: string;
}

/** Tells a phone which client has begun a session, also after its end, so that the person can block the client. */
export class FindSessionClient {
  constructor(
    private readonly sessions: Sessions,
    private readonly findClient: Pick<FindClient, 'nameOf'>,
  ) {}

  /** Throws DeviceLocked and SessionNotFound. */
  async execute(sessionId: string, device: Device): Promise<SessionClient> {
    if (device.status === 'LOCKED') throw new DeviceLocked(device.lockedUntil);
    const { clientId } = (await findSessionFor(device, sessionId, this.sessions)).session.terms;
    return { clientId, relyingPartyName: (await this.findClient.nameOf(clientId)) ?? '' };
  }
}
