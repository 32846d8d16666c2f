import { type ClientId, parseId } from '#kernel';
import { type Device, DeviceLocked, type HasLoggedIn, type PersonLimitsRecords } from '#domain/identity';
import { ClientNotFound, type FindClient, takesLogouts } from '#domain/relying-party';
import type { RequestLogouts } from '#domain/webhook';

import { LogoutNotSupported } from '../domain/logout-not-supported.js';

export interface LogOutAtClientParts {
  readonly hasLoggedIn: Pick<HasLoggedIn, 'execute'>;
  readonly findClient: Pick<FindClient, 'execute'>;
  readonly personLimits: Pick<PersonLimitsRecords, 'logOut'>;
  readonly requestLogouts: Pick<RequestLogouts, 'execute'>;
}

/** A person asks on the phone to be logged out at a relying party (specification/app.md#logout). */
export class LogOutAtClient {
  constructor(private readonly parts: LogOutAtClientParts) {}

  /**
   * Once this resolves, the client will be told. It may be repeated: within a minute the client is told once. Throws DeviceLocked, ClientNotFound also where the person
   * has never logged in, LogoutNotSupported, and ServiceUnavailable, after which a repetition goes on with the same wish.
   */
  async execute(clientId: string, { status, lockedUntil, identityId }: Device): Promise<void> {
    if (status === 'LOCKED') throw new DeviceLocked(lockedUntil);
    const { hasLoggedIn, findClient, personLimits, requestLogouts } = this.parts;
    const id = parseId<ClientId>(clientId);
    // A phone learns nothing of clients that do not know its person.
    if (!id || !(await hasLoggedIn.execute(id, identityId))) throw new ClientNotFound('the person has not logged in there');
    const client = await findClient.execute(id);
    if (!client) throw new ClientNotFound('the client is deleted');
    if (!takesLogouts(client)) throw new LogoutNotSupported('the client is disabled, or has no address for logout tokens');
    const wishedAt = await personLimits.logOut(identityId, id);
    if (wishedAt !== undefined) await requestLogouts.execute(identityId, [id], wishedAt);
  }
}
