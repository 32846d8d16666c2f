import type { UnitOfWork } from '#engines/event-store';
import type { Clock, DomainError, LocatingTokens, Sealer, SessionId } from '#kernel';
import { type FindRevocation, IdentityNotFound, type LinkSubject, type EnrolmentProof, type ReadPersonalData } from '#domain/identity';
import type { Client, FindClient } from '#domain/relying-party';

import type { CountryCalendars } from '../domain/country-calendars.js';
import { type Disclosure, disclose } from '../domain/disclosure.js';
import { codeChallengeOf } from '../domain/pkce.js';
import { InvalidGrant, LoginDenied, LoginExpired, SessionNotFound } from '../domain/session.errors.js';
import type { OpenIdTerms, SealedTerms } from '../domain/sealed-terms.js';
import type { RedeemCode } from '../domain/session.commands.js';
import type { StartedSession } from '../domain/session.js';
import type { SessionInWork, Sessions } from '../repositories/sessions.js';
import { sessionStream } from '../streams.js';
import type { CheckApproval } from '../approval/check-approval.js';
import type { EvidenceOfLogins } from '../approval/evidence-of-logins.js';

export interface TokenRequest {
  readonly code: string;
  readonly codeVerifier: string;
}

export interface TokenResponse extends Partial<Disclosure> {
  /** Always the same for one person at one client, and unrelated to the value that any other client gets. */
  readonly subjectId: string;
  /** Only of a session with `evidence`: a JWS of the service over what the phone has signed. Keep it as proof of the login. */
  readonly evidence?: string;
}

/** The same at the token endpoint of OpenID Connect. */
export interface OpenIdTokenRequest {
  readonly code: string;
  readonly codeVerifier?: string | undefined;
  readonly redirectUri?: string | undefined;
  /** The thumbprint of the key that the client has proved to hold: the access token is bound to it. */
  readonly jkt?: string | undefined;
}

/** A login through OpenID Connect whose code was redeemed by this call. Times are epoch milliseconds. */
export interface RedeemedLogin extends TokenResponse {
  readonly sessionId: SessionId;
  /** When the person approved on the phone. */
  readonly confirmedAt: number;
  readonly openid: OpenIdTerms;
  /** Opens userinfo, and nothing else. */
  readonly accessToken: string;
}

export interface ExchangeTokenParts {
  readonly unitOfWork: UnitOfWork;
  readonly sessions: Sessions;
  readonly codes: LocatingTokens;
  readonly accessTokens: Pick<LocatingTokens, 'make'>;
  readonly sealer: Sealer;
  readonly readPersonalData: Pick<ReadPersonalData, 'ofRegistered'>;
  readonly linkSubject: Pick<LinkSubject, 'in'>;
  readonly findRevocation: FindRevocation;
  readonly findClient: Pick<FindClient, 'isEnabledIn'>;
  readonly enrolmentProof: Pick<EnrolmentProof, 'isRegistered'>;
  readonly checkApproval: CheckApproval;
  readonly evidenceOfLogins: Pick<EvidenceOfLogins, 'prepare'>;
  readonly calendars: CountryCalendars;
  readonly clock: Clock;
}

/** POST token (RFC 6749 section 4.1.3, RFC 7636 section 4.5), but JSON, and answering a subjectId. */
export class ExchangeToken {
  constructor(private readonly parts: ExchangeTokenParts) {}

  /** Throws InvalidGrant for every cause that lies in the request. */
  async execute({ code, codeVerifier }: TokenRequest, client: Client): Promise<TokenResponse> {
    return (await this.#redeem(this.#byCode(code, { codeChallenge: codeChallengeOf(codeVerifier) }), client)).answer;
  }

  /** The same for the code of a login through OpenID Connect. A code of one kind is none of the other. */
  async executeOpenId({ code, codeVerifier, redirectUri, jkt }: OpenIdTokenRequest, client: Client): Promise<RedeemedLogin> {
    const proof = { codeChallenge: codeVerifier === undefined ? undefined : codeChallengeOf(codeVerifier), openid: { redirectUri, jkt } };
    return this.#login(await this.#redeem(this.#byCode(code, proof), client));
  }

  /**
   * The same for a login without a browser, which is completed and redeemed in one append. Throws InvalidGrant where the session is not confirmed, or redeemed before, LoginExpired, and
   * LoginDenied where the approval counts no more. `jkt`: as of {@link OpenIdTokenRequest}.
   */
  async executeBackchannel(sessionId: SessionId, client: Client, jkt?: string): Promise<RedeemedLogin> {
    const decide = (login: SessionInWork): void => {
      const { found } = login;
      if (found.status !== 'CONFIRMED') throw new InvalidGrant(`session is ${found.status}`);
      if (this.parts.clock.now() >= found.grant.expiresAt) throw new LoginExpired('expired');
      login.decide({ type: 'CompleteSession' });
      login.decide({ type: 'RedeemCode', clientId: client.clientId, backchannel: true, openid: { redirectUri: undefined, jkt } });
    };
    return this.#login(await this.#redeem({ sessionId, decide, refused: (reason) => new LoginDenied(reason) }, client));
  }

  #login({ login, answer, openid }: Redeemed): RedeemedLogin {
    const { id: sessionId, state } = login;
    const grant = 'grant' in state ? state.grant : undefined;
    if (!openid || !grant?.redemption) throw new Error('a redeemed login of OpenID Connect has its terms and its redemption');
    return {
      ...answer,
      sessionId,
      confirmedAt: grant.confirmedAt,
      openid,
      accessToken: this.parts.accessTokens.make(sessionId, grant.redemption.eventId),
    };
  }

  #byCode(code: string, proof: Pick<RedeemCode, 'codeChallenge' | 'openid'>): Redemption {
    const { codes } = this.parts;
    const claim = codes.parse(code);
    if (!claim) throw new InvalidGrant('not a code');
    const decide = (login: SessionInWork, { clientId }: Client): void => {
      const { found } = login;
      if (found.status !== 'COMPLETED' || !('grant' in found)) throw new InvalidGrant('no code handed out');
      if (!codes.verify(claim, found.grant.eventId)) throw new InvalidGrant('forged');
      login.decide({ type: 'RedeemCode', clientId, ...proof });
    };
    return { sessionId: claim.id as SessionId, decide, refused: (reason) => new InvalidGrant(reason) };
  }

  async #redeem(redemption: Redemption, client: Client): Promise<Redeemed> {
    const { makeEvidence, ...redeemed } = await this.#stored(redemption, client);
    if (!makeEvidence) return redeemed;
    return { ...redeemed, answer: { ...redeemed.answer, evidence: await makeEvidence() } };
  }

  #stored({ sessionId, decide, refused }: Redemption, client: Client): Promise<Stored> {
    const { clientId } = client;
    const { unitOfWork, sessions, readPersonalData, linkSubject, findRevocation, findClient, enrolmentProof } = this.parts;
    const { checkApproval, evidenceOfLogins, calendars, clock } = this.parts;
    return unitOfWork.run(async (streams) => {
      const login = await sessions.in(streams, sessionId).catch(refuseUnknown);
      decide(login, client);
      const session = login.state;
      if (!('grant' in session)) throw new Error('a redeemed login was confirmed');

      // Everything that can fail precedes the append that redeems the login (specification/sessions.md#identity-properties).
      const openid = session.terms.issuer && this.#openIdTerms(sessionId, session);
      const { identityId, deviceId } = session.scan;
      const { requested } = session.terms;
      const refusal = await checkApproval.refusalOfLogin(sessionId, session, () => streams.onReads());
      if (refusal !== undefined) throw refused(refusal);
      const [isRevoked, subjectId, person] = await Promise.all([
        findRevocation.execute(streams, deviceId),
        linkSubject.in(streams, clientId, identityId).catch(unlessErased),
        requested && readPersonalData.ofRegistered(identityId),
      ]);
      if (isRevoked) throw refused('the device was revoked');
      // The person may be erased between reading the data and linking the subject.
      if (subjectId === undefined || (requested && !person)) throw refused('the person was erased');
      // Read already, by the authentication and the link: the commit proves that both are still so.
      const [isRegistered, isEnabled] = await Promise.all([
        enrolmentProof.isRegistered(streams, identityId),
        findClient.isEnabledIn(streams, clientId),
      ]);
      if (!isRegistered) throw refused('the person was erased');
      if (!isEnabled) throw refused('the client was disabled');
      const disclosure = requested && person && disclose(requested, person, calendars.dateIn(person.country, clock.now()));
      const makeEvidence = await evidenceOfLogins.prepare(sessionId, session, subjectId);
      return { login, openid, answer: { subjectId, ...disclosure }, makeEvidence };
    });
  }

  #openIdTerms(sessionId: SessionId, { terms }: StartedSession): OpenIdTerms | undefined {
    return this.parts.sealer.open<SealedTerms>(terms.sealed, sessionStream(sessionId)).openid;
  }
}

/** How a client redeems a login. */
interface Redemption {
  readonly sessionId: SessionId;
  /** Decides on the session, by what the client has brought. Throws where that does not redeem it. */
  readonly decide: (login: SessionInWork, client: Client) => void;
  /** Where the client has brought the right thing, and the login is refused all the same. */
  readonly refused: (reason: string) => DomainError;
}

interface Redeemed {
  /** As it is stored. */
  readonly login: SessionInWork;
  readonly openid: OpenIdTerms | undefined;
  readonly answer: TokenResponse;
}

interface Stored extends Redeemed {
  readonly makeEvidence: (() => Promise<string>) | undefined;
}

const refuseUnknown = (error: unknown): never => {
  throw error instanceof SessionNotFound ? new InvalidGrant('no code handed out') : error;
};

const unlessErased = (error: unknown): undefined => {
  if (!(error instanceof IdentityNotFound)) throw error;
};
