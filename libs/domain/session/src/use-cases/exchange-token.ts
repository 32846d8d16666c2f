import type { UnitOfWork } from '#engines/event-store';
import type { Clock, LocatingTokens, SessionId } from '#kernel';
import { IdentityNotFound, type LinkSubject, type ReadPersonalData } from '#domain/identity';
import type { Client } from '#domain/relying-party';

import { CountryCalendars } from '../domain/country-calendars.js';
import { type Disclosure, disclose } from '../domain/disclosure.js';
import { codeChallengeOf } from '../domain/pkce.js';
import { InvalidGrant, SessionNotFound } from '../domain/session.errors.js';
import type { Sessions } from '../repositories/sessions.js';
import type { CheckApproval } from '../approval/check-approval.js';

export interface TokenRequest {
  readonly code: string;
  readonly codeVerifier: string;
}

export type TokenResponse = { readonly subjectId: string } & Partial<Disclosure>;

/** POST token (RFC 6749 section 4.1.3, RFC 7636 section 4.5), but JSON, and answering a subjectId. */
export class ExchangeToken {
  readonly #calendars = new CountryCalendars();

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly sessions: Sessions,
    private readonly codes: LocatingTokens,
    private readonly readPersonalData: ReadPersonalData,
    private readonly linkSubject: LinkSubject,
    private readonly checkApproval: CheckApproval,
    private readonly clock: Clock,
  ) {}

  /** Throws InvalidGrant for every cause that lies in the request. */
  async execute({ code, codeVerifier }: TokenRequest, { clientId }: Client): Promise<TokenResponse> {
    const claim = this.codes.parse(code);
    if (!claim) throw new InvalidGrant('not a code');
    const sessionId = claim.id as SessionId;
    const codeChallenge = codeChallengeOf(codeVerifier);
    return this.unitOfWork.run(async (streams) => {
      const login = await this.sessions.in(streams, sessionId).catch(refuseUnknown);
      const session = login.found;
      if (session.status !== 'COMPLETED' || !('grant' in session)) throw new InvalidGrant('no code handed out');
      if (!this.codes.verify(claim, session.grant.eventId)) throw new InvalidGrant('forged');
      login.decide({ type: 'RedeemCode', clientId, codeChallenge });

      // Everything that can fail precedes the append that redeems the code (specification/sessions.md#identity-properties).
      const { identityId } = session.scan;
      const { requested } = session.terms;
      const refusal = await this.checkApproval.refusalOfLogin(sessionId, session, () => streams.onReads());
      if (refusal !== undefined) throw new InvalidGrant(refusal);
      const [subjectId, person] = await Promise.all([
        this.linkSubject.execute(clientId, identityId).catch(refuseErased),
        requested && this.readPersonalData.ofRegistered(identityId),
      ]);
      if (requested && !person) throw new InvalidGrant('the person was erased');
      const disclosure = requested && person && disclose(requested, person, this.#calendars.dateIn(person.country, this.clock.now()));
      return { subjectId, ...disclosure };
    });
  }
}

const refuseUnknown = (error: unknown): never => {
  throw error instanceof SessionNotFound ? new InvalidGrant('no code handed out') : error;
};

/** The person may be erased between reading the data and linking the subject. */
const refuseErased = (error: unknown): never => {
  throw error instanceof IdentityNotFound ? new InvalidGrant('the person was erased') : error;
};
