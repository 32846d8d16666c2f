import type { Clock, DeviceId, IdentityId } from '#kernel';

import type { Lifetimes } from '../domain/lifetimes.js';
import type { PersonSessions } from '../read-models/person-sessions.js';
import type { Sessions } from '../repositories/sessions.js';

export interface EndSessionsOfDeviceParts {
  readonly found: PersonSessions;
  readonly sessions: Sessions;
  readonly lifetimes: Lifetimes;
  readonly clock: Clock;
}

/** How long a session is open at most, in milliseconds. */
export const longestOpen = ({ session, pushSession, signingBuild }: Lifetimes): number => Math.max(session, pushSession) + signingBuild;

/** Ends the sessions that a device has taken and can approve no more (specification/app.md#sessions-of-a-revoked-phone). */
export class EndSessionsOfDevice {
  constructor(private readonly parts: EndSessionsOfDeviceParts) {}

  /** Ends those of a revoked device. May be repeated. Throws ReadModelsUnavailable, and ServiceUnavailable while the store cannot be reached. */
  execute(identityId: IdentityId, deviceId: DeviceId): Promise<void> {
    return this.#end(identityId, 'DEVICE_REVOKED', (taker) => taker === deviceId);
  }

  /** Ends those of all devices of an erased person. */
  ofErased(identityId: IdentityId): Promise<void> {
    return this.#end(identityId, 'ERASED', () => true);
  }

  async #end(identityId: IdentityId, reason: 'DEVICE_REVOKED' | 'ERASED', concerns: (taker: DeviceId) => boolean): Promise<void> {
    const { found, sessions, lifetimes, clock } = this.parts;
    await found.current();
    // A session of this age shows that all earlier scans of the person belong to sessions that are over.
    const begunBefore = clock.now() - 2 * longestOpen(lifetimes);
    for await (const page of found.newestScans(identityId)) {
      const states = await Promise.all(page.map(async (sessionId) => ({ sessionId, session: await sessions.find(sessionId) })));
      for (const { sessionId, session } of states) {
        if (session?.status !== 'SCANNED' || session.scan.identityId !== identityId || !concerns(session.scan.deviceId)) continue;
        await sessions.handle(sessionId, { type: 'EndOfDevice', deviceId: session.scan.deviceId, reason });
      }
      if (states.some(({ session }) => session !== undefined && session.createdAt < begunBefore)) return;
      if (states.every(({ session }) => session === undefined)) return;
    }
  }
}
