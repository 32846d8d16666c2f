import { type ClientId, type Clock, domainError, type LocatingTokens, type SessionId } from '#kernel';
import { IdentityNotFound, type LinkSubject, type ReadPersonalData } from '#domain/identity';
import type { FindClient } from '#domain/relying-party';

import type { CountryCalendars } from '../domain/country-calendars.js';
import { type Disclosure, disclose } from '../domain/disclosure.js';
import type { Sessions } from '../repositories/sessions.js';

/** RFC 6750 section 3.1. One code for every cause; only the log holds the reason. */
export class InvalidAccessToken extends domainError('invalid_token') {}

/** Milliseconds. The record of a session is readable for longer after its code was redeemed. */
export const ACCESS_TOKEN_LIFE = 300_000;

export interface UserInfo extends Partial<Disclosure> {
  readonly subjectId: string;
  readonly clientId: ClientId;
}

export interface ReadUserInfoParts {
  readonly sessions: Pick<Sessions, 'find'>;
  readonly accessTokens: Pick<LocatingTokens, 'parse' | 'verify'>;
  readonly findClient: Pick<FindClient, 'execute'>;
  readonly readPersonalData: Pick<ReadPersonalData, 'execute'>;
  readonly linkSubject: Pick<LinkSubject, 'execute'>;
  readonly calendars: CountryCalendars;
  readonly clock: Clock;
}

/** GET userinfo (OpenID Connect Core section 5.3): the properties that the person approved, read anew. */
export class ReadUserInfo {
  constructor(private readonly parts: ReadUserInfoParts) {}

  /**
   * Throws InvalidAccessToken. The token is derived from the redemption of the code, so it ends with the person, the client and the session. `jkt`: the thumbprint of the key
   * that the sender has proved to hold; undefined where the token came without a proof.
   */
  async execute(accessToken: string, jkt?: string): Promise<UserInfo> {
    const { sessions, accessTokens, findClient, readPersonalData, linkSubject, calendars, clock } = this.parts;
    const claim = accessTokens.parse(accessToken);
    const session = claim && (await sessions.find(claim.id as SessionId));
    const redemption = session && 'grant' in session ? session.grant.redemption : undefined;
    if (!claim || !session || !redemption || !('grant' in session)) throw new InvalidAccessToken('no access token of a redeemed login');
    if (!accessTokens.verify(claim, redemption.eventId)) throw new InvalidAccessToken('forged');
    if (redemption.jkt !== jkt) throw new InvalidAccessToken(redemption.jkt === undefined ? 'bound to no key' : 'bound to another key');
    if (clock.now() >= redemption.at + ACCESS_TOKEN_LIFE) throw new InvalidAccessToken('expired');
    const { clientId, requested } = session.terms;
    const { identityId } = session.scan;
    const [client, person] = await Promise.all([findClient.execute(clientId), readPersonalData.execute(identityId)]);
    if (!client?.enabled) throw new InvalidAccessToken('the client is disabled or deleted');
    if (!person) throw new InvalidAccessToken('the person was erased');
    const subjectId = await linkSubject.execute(clientId, identityId).catch(refuseErased);
    return { clientId, subjectId, ...(requested && disclose(requested, person, calendars.dateIn(person.country, clock.now()))) };
  }
}

const refuseErased = (error: unknown): never => {
  throw error instanceof IdentityNotFound ? new InvalidAccessToken('the person was erased') : error;
};
