import type { DeviceId, LocatingTokens, SessionId } from '#kernel';

import type { Sessions } from '../repositories/sessions.js';

/** Finds the phone that approved a login. For the portal alone, which is a relying party of the service itself: no API answers it to a client. */
export class FindApprovingDevice {
  constructor(
    private readonly sessions: Pick<Sessions, 'find'>,
    private readonly codes: Pick<LocatingTokens, 'parse' | 'verify'>,
  ) {}

  /** By the authorization code of the login. Undefined for what is no code of a completed login. */
  async execute(code: string): Promise<DeviceId | undefined> {
    const claim = this.codes.parse(code);
    if (!claim) return undefined;
    const session = await this.sessions.find(claim.id as SessionId);
    if (session?.status !== 'COMPLETED' || !('grant' in session)) return undefined;
    return this.codes.verify(claim, session.grant.eventId) ? session.scan.deviceId : undefined;
  }
}
