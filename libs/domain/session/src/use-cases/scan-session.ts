import { type Streams, StreamTombstoned, type UnitOfWork } from '#engines/event-store';
import { type ClientId, epochSeconds, type Sealer, type SessionId } from '#kernel';
import { type Device, DeviceLocked, type EnrolmentProof, type SubjectIds } from '#domain/identity';
import { type Client, type FindClient, takesLogouts } from '#domain/relying-party';

import { allowedReturnUrl } from '../domain/return-url.js';
import type { QrFrames } from '../domain/qr-frames.js';
import type { RefusedDevices } from '../domain/refused-devices.js';
import type { SealedTerms } from '../domain/sealed-terms.js';
import type { Scan, StartedSession } from '../domain/session.js';
import { DetailsNotShown, SessionEnded, SessionNotFound, SubjectNotAllowed } from '../domain/session.errors.js';
import type { ScanVia, SessionTerms } from '../domain/session.events.js';
import type { VerificationCodes } from '../domain/verification-codes.js';
import type { SealedPage, WaitingPages } from '../domain/waiting-pages.js';
import { findSessionIn } from '../repositories/find-session-for.js';
import type { SessionInWork, Sessions } from '../repositories/sessions.js';
import { sessionStream } from '../streams.js';
import type { Statements, StoredStatement } from '../repositories/statements.js';
import type { ScanWatch } from '../scan-watch.js';
import type { PrepareStatement, Statement } from './prepare-statement.js';
import type { ScannedSession } from './scanned-session.js';

export interface ScanRequest {
  readonly sessionId: string;
  /** The return address in the QR code. */
  readonly returnUrl?: string;
  /** How the phone found the session. Default: by the QR code. */
  readonly via?: ScanVia;
  /** Of a dynamic code: the frame's seconds since the session began, and its authenticator. */
  readonly t?: number;
  readonly a?: string;
  /** In place of a frame: proves that the device has brought a fresh one to the preview (specification/app.md#get-session). */
  readonly admission?: string;
  /** Whether the phone shows the `details` of a request. */
  readonly showsDetails?: boolean;
  /** The network of the phone, as the service sees it. Not stored. */
  readonly network?: string | undefined;
}

export interface ScanSessionDependencies {
  readonly unitOfWork: UnitOfWork;
  readonly sessions: Sessions;
  readonly findClient: FindClient;
  readonly enrolmentProof: Pick<EnrolmentProof, 'present'>;
  readonly subjectIds: SubjectIds;
  readonly sealer: Sealer;
  readonly prepareStatement: PrepareStatement;
  readonly statements: Statements;
  readonly refusedDevices: RefusedDevices;
  readonly qrFrames: QrFrames;
  readonly verificationCodes: VerificationCodes;
  readonly waitingPages: WaitingPages;
  readonly scanWatch: ScanWatch;
  /** The service's login page. The app may return there and to the client's registered redirect URIs. */
  readonly loginUrl: string;
}

/** A new statement, with the client and the texts that this request has read for it. */
interface Prepared {
  readonly client: Client;
  readonly texts: SealedTerms;
  readonly statement: Statement;
}

/** The values of the answer, and those that the request has read for it already. */
interface Scanned extends Partial<Pick<Prepared, 'client' | 'texts'>> {
  readonly terms: SessionTerms;
  /** {@link SealedPage}. */
  readonly waitingPage: string | undefined;
  readonly statement: StoredStatement;
}

/** A phone scans a session (specification/app.md#post-scan). The first device wins. */
export class ScanSession {
  constructor(private readonly dependencies: ScanSessionDependencies) {}

  /** Throws DeviceNotFound for a phone that was revoked since its request was authenticated, SessionNotFound, SessionAlreadyScanned, SubjectNotAllowed, SessionEnded, DeviceLocked, InvalidQr, DetailsNotShown. */
  async execute(request: ScanRequest, device: Device): Promise<ScannedSession> {
    const { unitOfWork, scanWatch } = this.dependencies;
    let tried: ClientId | undefined;
    const outcome = await unitOfWork
      .run((streams) => this.#decide(streams, request, device, (clientId) => (tried = clientId)))
      .finally(() => tried && scanWatch.tried(tried, request.network));
    if (outcome instanceof SubjectNotAllowed) throw outcome;
    const { session, prepared } = outcome;
    const answer = await this.#answer(session.id, await this.#scanned(session, prepared, device), request);
    if (prepared) scanWatch.scanned(request.via, answer.waitingPage);
    return answer;
  }

  /** The order of checks: repetition of a success, lock, session. Without a statement, this device has scanned the session before. */
  async #decide(
    streams: Streams,
    request: ScanRequest,
    sender: Device,
    tries: (clientId: ClientId) => void,
  ): Promise<{ readonly session: SessionInWork; readonly prepared?: Prepared } | SubjectNotAllowed> {
    const { sessions, sealer, subjectIds, refusedDevices, qrFrames, findClient, enrolmentProof } = this.dependencies;
    const device = await enrolmentProof.present(streams, sender);
    const { deviceId, identityId } = device;
    const session = await findSessionIn(streams, device, request.sessionId, sessions);
    const { id, found } = session;
    const { terms } = found;
    if (scanOf(found)?.deviceId === deviceId) return { session };
    tries(terms.clientId);
    if (device.status === 'LOCKED') throw new DeviceLocked(device.lockedUntil);

    const prepared = await this.#statement(id, terms, device);
    // Read already: the commit proves that it is still so.
    if (!(await findClient.isEnabledIn(streams, terms.clientId))) throw new SessionNotFound('the client is disabled or deleted');
    // The session stays open for a phone that shows what it signs.
    if (prepared.texts.details !== undefined && !request.showsDetails) throw new DetailsNotShown('the phone does not show details');
    const { scan, certificateHash } = prepared.statement;
    const { via, t, a, admission } = request;
    const frame = qrFrames.read(id, t, a);
    const command = {
      type: 'ScanSession',
      deviceId,
      identityId,
      ...(certificateHash !== undefined && { certificateHash }),
      ...(via && { via }),
      ...(frame && { frame }),
      ...(qrFrames.admits(id, deviceId, admission) && { admitted: true as const }),
      subjectIds: subjectIds.accepted(terms.clientId, identityId),
      sealed: sealer.seal(scan, sessionStream(id)),
    } as const;
    try {
      session.decide(command);
    } catch (refusal) {
      if (!(refusal instanceof SubjectNotAllowed)) throw refusal;
      streams.onReads();
      session.decide({ type: 'RecordRefusedScan', deviceHash: refusedDevices.hashOf(id, deviceId) });
      return refusal;
    }
    return { session, prepared };
  }

  /** The statement of a signature is stored after the device has won the session, so that no statement of another device is kept. */
  async #scanned({ id, state }: SessionInWork, prepared: Prepared | undefined, device: Device): Promise<Scanned> {
    const session = state as StartedSession;
    const scan = scanOf(session);
    if (!scan) throw new Error('a scanned session has a scan');
    const { terms, waitingPage } = session;
    if (!prepared) {
      // The scan may have been interrupted after the device had won the session.
      const statement =
        (await this.dependencies.statements.find(id, scan)) ?? (await this.#store(id, scan, await this.#statement(id, terms, device)));
      return { terms, waitingPage, statement };
    }
    const { client, texts, statement } = prepared;
    const { toBeSigned } = statement.scan;
    const stored = toBeSigned === undefined ? await this.#store(id, scan, prepared) : { ...statement.scan, toBeSigned };
    return { terms, waitingPage, client, texts, statement: stored };
  }

  async #statement(sessionId: SessionId, terms: SessionTerms, device: Device): Promise<Prepared> {
    const { findClient, prepareStatement } = this.dependencies;
    const client = await findClient.execute(terms.clientId);
    // No person is shown a request of a client that staff has disabled or deleted (specification/admin.md#disabled-clients).
    if (!client?.enabled) throw new SessionNotFound('the client is disabled or deleted');
    const relyingPartyName = client.name;
    const texts = this.#texts(sessionId, terms);
    const statement = await prepareStatement.execute({ sessionId, terms, texts, relyingPartyName, device });
    return { client, texts, statement };
  }

  async #store(sessionId: SessionId, scan: Scan, { statement: { signing } }: Prepared): Promise<StoredStatement> {
    if (!signing) throw new Error('a scanned login has a statement');
    return this.dependencies.statements.store(sessionId, scan, signing).catch((error: unknown) => {
      throw error instanceof StreamTombstoned ? new SessionEnded('the signature was erased') : error;
    });
  }

  async #answer(sessionId: SessionId, scanned: Scanned, { returnUrl, network }: ScanRequest): Promise<ScannedSession> {
    const { terms, texts: read, statement } = scanned;
    const client = scanned.client ?? (await this.dependencies.findClient.execute(terms.clientId));
    const { state: _, changeDigest: ___, openid: ____, ...texts } = read ?? this.#texts(sessionId, terms);
    const { signingTime: __, ...shown } = statement;
    const allowed = allowedReturnUrl(returnUrl, this.#allowedOrigins(client));
    return {
      sessionId,
      signatureType: terms.signatureType,
      expiresAt: epochSeconds(terms.expiresAt),
      ...(terms.redirectUri !== undefined && { relyingPartyDomain: new URL(terms.redirectUri).host }),
      ...texts,
      ...(terms.requested && { requested: terms.requested }),
      ...shown,
      ...(allowed !== undefined && { returnUrl: allowed }),
      ...(terms.signatureType === 'AUTHENTICATION' && takesLogouts(client) && { logoutClientId: client.clientId }),
      ...(terms.verificationCode && { verificationCodes: this.dependencies.verificationCodes.choices(sessionId) }),
      ...this.#waitingPage(sessionId, scanned.waitingPage, network),
    };
  }

  #waitingPage(sessionId: SessionId, sealed: string | undefined, network: string | undefined): Pick<ScannedSession, 'waitingPage'> {
    if (sealed === undefined) return {};
    const { sealer, waitingPages } = this.dependencies;
    const waitingPage = waitingPages.shown(sessionId, sealer.open<SealedPage>(sealed, sessionStream(sessionId)), network);
    return Object.keys(waitingPage).length === 0 ? {} : { waitingPage };
  }

  #texts(sessionId: SessionId, terms: SessionTerms): SealedTerms {
    return this.dependencies.sealer.open<SealedTerms>(terms.sealed, sessionStream(sessionId));
  }

  #allowedOrigins(client: Client | undefined): readonly string[] {
    return [this.dependencies.loginUrl, ...(client?.redirectUris ?? [])];
  }
}

/** The scan of a session that is open or confirmed. */
const scanOf = (session: StartedSession): Scan | undefined =>
  session.status === 'SCANNED' || session.status === 'CONFIRMED' || session.status === 'COMPLETED' ? session.scan : undefined;
