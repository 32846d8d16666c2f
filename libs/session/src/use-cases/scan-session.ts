import { type ClientId, epochSeconds, type Randomness, type Sealer, type SessionId } from '#kernel';
import type { Device, SubjectIds } from '#identity';
import { DeviceLocked } from '#identity';
import type { FindClient } from '#relying-party';

import { allowedReturnUrl } from '../domain/return-url.js';
import type { AuthenticationStatement, SealedScan, SealedTerms } from '../domain/sealed-terms.js';
import type { Scan, StartedSession, Terms } from '../domain/session.js';
import { SubjectNotAllowed } from '../domain/session.errors.js';
import type { RequestedProperties, SignatureType } from '../domain/session.events.js';
import { findSessionFor } from './find-session-for.js';
import { type Sessions, sessionStream } from './sessions.js';

export interface ScanRequest {
  readonly sessionId: string;
  /** Where the app would return its user, as the QR code said. */
  readonly returnUrl?: string;
}

/** What the app shows before it asks for the PIN, and what it then signs. */
export interface ScannedSession {
  readonly sessionId: SessionId;
  readonly signatureType: SignatureType;
  readonly relyingPartyName: string;
  readonly title?: string;
  /** Epoch seconds. */
  readonly expiresAt: number;
  readonly requested?: RequestedProperties;
  /** Base64. */
  readonly toBeSigned: string;
  /** RFC 7518 section 3.1. */
  readonly signatureAlgorithm: 'ES256';
  readonly returnUrl?: string;
}

export interface ScanSessionParts {
  readonly sessions: Sessions;
  readonly findClient: FindClient;
  readonly subjectIds: SubjectIds;
  readonly sealer: Sealer;
  readonly randomness: Randomness;
  /** The service's own login page, which the app may return to as well as to the client's registered addresses. */
  readonly loginUrl: string;
}

/** The phone takes a session (specification, "States and transitions"; api-extensions 4). The first device wins. */
export class ScanSession {
  constructor(private readonly parts: ScanSessionParts) {}

  /** Throws SessionNotFound, SessionAlreadyScanned, SubjectNotAllowed, SessionEnded, DeviceLocked. */
  async execute({ sessionId, returnUrl }: ScanRequest, device: Device): Promise<ScannedSession> {
    const { id, session } = await findSessionFor(device, sessionId, this.parts.sessions);
    const scanned = scanOf(session)?.deviceId === device.deviceId ? session : await this.#scan(id, session.terms, device);
    return this.#answer(id, scanned, returnUrl);
  }

  async #scan(sessionId: SessionId, terms: Terms, device: Device): Promise<StartedSession> {
    if (device.status === 'LOCKED') throw new DeviceLocked(device.lockedUntil);
    const { sessions, sealer, subjectIds } = this.parts;
    const { deviceId, identityId } = device;
    const sealed = sealer.seal(await this.#statement(sessionId, terms), sessionStream(sessionId));
    const subjectId = subjectIds.of(terms.clientId, identityId);
    try {
      return (await sessions.handle(sessionId, { type: 'ScanSession', deviceId, identityId, subjectId, sealed })) as StartedSession;
    } catch (refusal) {
      if (refusal instanceof SubjectNotAllowed) await sessions.handle(sessionId, { type: 'RecordRefusedScan', deviceId });
      throw refusal;
    }
  }

  async #statement(sessionId: SessionId, terms: Terms): Promise<SealedScan> {
    const { findClient, randomness } = this.parts;
    const relyingPartyName = (await findClient.execute(terms.clientId))?.name ?? '';
    const { title } = this.#texts(sessionId, terms);
    const statement: AuthenticationStatement = {
      sessionId,
      clientId: terms.clientId,
      relyingPartyName,
      ...(title !== undefined && { title }),
      ...(terms.requested && { requested: terms.requested }),
      challenge: randomness.bytes(32).toString('base64url'),
      expiresAt: epochSeconds(terms.expiresAt),
    };
    return { relyingPartyName, toBeSigned: Buffer.from(JSON.stringify(statement)).toString('base64') };
  }

  async #answer(sessionId: SessionId, session: StartedSession, returnUrl: string | undefined): Promise<ScannedSession> {
    const scan = scanOf(session);
    if (!scan) throw new Error('a scanned session has a scan');
    const { terms } = session;
    const { title } = this.#texts(sessionId, terms);
    const { relyingPartyName, toBeSigned } = this.parts.sealer.open<SealedScan>(scan.sealed, sessionStream(sessionId));
    const allowed = allowedReturnUrl(returnUrl, await this.#vouchedFor(terms.clientId));
    return {
      sessionId,
      signatureType: terms.signatureType,
      relyingPartyName,
      ...(title !== undefined && { title }),
      expiresAt: epochSeconds(terms.expiresAt),
      ...(terms.requested && { requested: terms.requested }),
      toBeSigned,
      signatureAlgorithm: 'ES256',
      ...(allowed !== undefined && { returnUrl: allowed }),
    };
  }

  #texts(sessionId: SessionId, terms: Terms): SealedTerms {
    return this.parts.sealer.open<SealedTerms>(terms.sealed, sessionStream(sessionId));
  }

  async #vouchedFor(clientId: ClientId): Promise<readonly string[]> {
    const client = await this.parts.findClient.execute(clientId);
    return [this.parts.loginUrl, ...(client?.redirectUris ?? [])];
  }
}

/** The scan that still counts: of a session that goes on or was confirmed. */
const scanOf = (session: StartedSession): Scan | undefined =>
  session.status === 'SCANNED' || session.status === 'CONFIRMED' || session.status === 'COMPLETED' ? session.scan : undefined;
