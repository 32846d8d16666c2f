import { type ClientId, epochSeconds, type Sealer, type SessionId } from '#kernel';
import { type Device, DeviceLocked, type SubjectIds } from '#identity';
import type { FindClient } from '#relying-party';

import { allowedReturnUrl } from '../domain/return-url.js';
import type { SealedScan, SealedTerms, SignatureAlgorithm } from '../domain/sealed-terms.js';
import type { Scan, StartedSession, Terms } from '../domain/session.js';
import { SubjectNotAllowed } from '../domain/session.errors.js';
import type { RequestedProperties, SignatureType } from '../domain/session.events.js';
import { findSessionFor } from './find-session-for.js';
import type { PrepareStatement } from './prepare-statement.js';
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
  readonly signedDataName?: string;
  /** Lower-case hex, SHA-512. */
  readonly signedDataHash?: string;
  /** Base64 of the ASiCManifest whose digest is signed. */
  readonly manifest?: string;
  /** Base64. */
  readonly toBeSigned: string;
  readonly signatureAlgorithm: SignatureAlgorithm;
  readonly returnUrl?: string;
}

export interface ScanSessionParts {
  readonly sessions: Sessions;
  readonly findClient: FindClient;
  readonly subjectIds: SubjectIds;
  readonly sealer: Sealer;
  readonly prepareStatement: PrepareStatement;
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
    const { sessions, sealer, subjectIds, findClient, prepareStatement } = this.parts;
    const { deviceId, identityId } = device;
    const relyingPartyName = (await findClient.execute(terms.clientId))?.name ?? '';
    const texts = this.#texts(sessionId, terms);
    const { scan, certificateHash } = await prepareStatement.execute({ sessionId, terms, texts, relyingPartyName, device });
    const command = {
      type: 'ScanSession',
      deviceId,
      identityId,
      ...(certificateHash !== undefined && { certificateHash }),
      subjectId: subjectIds.of(terms.clientId, identityId),
      sealed: sealer.seal(scan, sessionStream(sessionId)),
    } as const;
    try {
      return (await sessions.handle(sessionId, command)) as StartedSession;
    } catch (refusal) {
      if (refusal instanceof SubjectNotAllowed) await sessions.handle(sessionId, { type: 'RecordRefusedScan', deviceId });
      throw refusal;
    }
  }

  async #answer(sessionId: SessionId, session: StartedSession, returnUrl: string | undefined): Promise<ScannedSession> {
    const scan = scanOf(session);
    if (!scan) throw new Error('a scanned session has a scan');
    const { terms } = session;
    const { state: _, ...texts } = this.#texts(sessionId, terms);
    const { signingTime: __, ...shown } = this.parts.sealer.open<SealedScan>(scan.sealed, sessionStream(sessionId));
    const allowed = allowedReturnUrl(returnUrl, await this.#vouchedFor(terms.clientId));
    return {
      sessionId,
      signatureType: terms.signatureType,
      expiresAt: epochSeconds(terms.expiresAt),
      ...texts,
      ...(terms.requested && { requested: terms.requested }),
      ...shown,
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
