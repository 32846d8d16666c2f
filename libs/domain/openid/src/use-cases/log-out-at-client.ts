import { type ClientId, parseId } from '#kernel';
import { type Device, DeviceLocked, type EnrolmentProof, type HasLoggedIn, type PersonLimitsRecords } from '#domain/identity';
import { ClientNotFound, type FindClient, takesLogouts } from '#domain/relying-party';
import type { RequestLogouts } from '#domain/webhook';

import { LogoutNotSupported } from '../domain/logout-not-supported.js';

export interface LogOutAtClientParts {
  readonly hasLoggedIn: Pick<HasLoggedIn, 'execute'>;
  readonly findClient: Pick<FindClient, 'execute'>;
  readonly personLimits: Pick<PersonLimitsRecords, 'logOut'>;
  readonly enrolmentProof: Pick<EnrolmentProof, 'present'>;
  readonly requestLogouts: Pick<RequestLogouts, 'execute'>;
}

/** A person asks on the phone to be logged out at a relying party (specification/app.md#logout). */
export class LogOutAtClient {
  constructor(private readonly parts: LogOutAtClientParts) {}

  /**
   * Once this resolves, the client will be told. It may be repeated: within a minute the client is told once. Throws DeviceLocked, DeviceNotFound for a phone that was revoked since
   * its request was proven, ClientNotFound also where the person has never logged in, LogoutNotSupported, and ServiceUnavailable, after which a repetition goes on with the same wish.
   */
  async execute(clientId: string, device: Device): Promise<void> {
    assertNotLocked(device);
    const { identityId } = device;
    const { hasLoggedIn, findClient, personLimits, enrolmentProof, requestLogouts } = this.parts;
    const id = parseId<ClientId>(clientId);
    // A phone learns nothing of clients that do not know its person.
    if (!id || !(await hasLoggedIn.execute(id, identityId))) throw new ClientNotFound('the person has not logged in there');
    const client = await findClient.execute(id);
    if (!client) throw new ClientNotFound('the client is deleted');
    if (!takesLogouts(client)) throw new LogoutNotSupported('the client is disabled, or has no address for logout tokens');
    // The commit proves that the phone still may ask.
    const wishedAt = await personLimits.logOut(identityId, id, async (streams) => assertNotLocked(await enrolmentProof.present(streams, device)));
    if (wishedAt !== undefined) await requestLogouts.execute(identityId, [id], wishedAt);
  }
}

const assertNotLocked = ({ status, lockedUntil }: Device): void => {
  if (status === 'LOCKED') throw new DeviceLocked(lockedUntil);
};
