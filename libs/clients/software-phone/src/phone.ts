import { type DeviceKeys, pinProof, toBase64 } from '#clients/device';
import { SystemRandomness } from '#kernel';

import type { DeviceState, EnrolmentAnswer, PendingSessions, ScannedSession, SessionOutcome, SessionPreview } from './app-api.js';
import { type CallOptions, DeviceConnection, type PhoneDependencies } from './device-connection.js';
import { type EnrolmentAnswers, enrolmentBody, EnrolmentRefused } from './enrolment.js';
import { keyOperations } from './key-operations.js';
import { serializeKeys, type StoredKeys, newPhoneKeys, type PhoneKeys, parseKeys, type SigningKeyType } from './phone-keys.js';
import { type QrPayload, readQrPayload } from './qr-payload.js';
import type { Reply } from './reply.js';

export interface Enrolment extends EnrolmentAnswers {
  /** {base_url}. */
  readonly baseUrl: string;
  /** {app_scheme} of the codes that the phone reads. Default `countersign`. */
  readonly appScheme?: string;
  /** Of the signing key. Default P-256. */
  readonly keyType?: SigningKeyType;
  /** Default: new keys. */
  readonly keys?: PhoneKeys;
}

/** A phone as JSON, to go on with later. Holds its private keys: as secret as they are. */
export type PhoneState = {
  readonly baseUrl: string;
  readonly appScheme: string;
  readonly device: {
    readonly deviceId: string;
    readonly name: string;
    readonly signingCertificate?: string;
    readonly certificateChain?: readonly string[];
  };
  readonly keys: StoredKeys;
};

export interface ScanOptions extends CallOptions {
  /** How the phone came to the session; default `qr`. */
  readonly via?: 'qr' | 'link' | 'push';
  /** Of a dynamic QR code, in place of its frame: {@link SessionPreview.admission}. */
  readonly admission?: string;
  /** Whether it says that it shows the details of a request. Default: it does. */
  readonly showsDetails?: boolean;
}

export interface ConfirmOptions extends CallOptions {
  /** Of a pushed session: the verification code that the person chooses. */
  readonly code?: string;
}

/** A phone in software: a real authenticator that calls `/app/v1` as the app does (specification/app.md). */
export class Phone {
  readonly keys: PhoneKeys;
  readonly #operations: DeviceKeys;
  readonly #connection: DeviceConnection;
  #shown: ScannedSession | undefined;

  private constructor(
    private readonly state: PhoneState,
    dependencies: PhoneDependencies,
  ) {
    this.keys = parseKeys(state.keys);
    this.#operations = keyOperations(this.keys);
    this.#connection = new DeviceConnection({
      ...dependencies,
      baseUrl: state.baseUrl,
      key: this.keys.authentication,
      deviceId: state.device.deviceId,
    });
  }

  /** Makes keys and becomes a person's device. Throws {@link EnrolmentRefused}. */
  static async enrol(enrolment: Enrolment, dependencies: PhoneDependencies = {}): Promise<Phone> {
    const { baseUrl, appScheme = 'countersign', keyType } = enrolment;
    const keys = enrolment.keys ?? (await newPhoneKeys(dependencies.randomness ?? new SystemRandomness(), keyType));
    const connection = new DeviceConnection({ ...dependencies, baseUrl, key: keys.authentication });
    const reply = await connection.call<EnrolmentAnswer>('POST', '/app/v1/device', await enrolmentBody(keys, enrolment));
    if (!reply.ok) throw new EnrolmentRefused(reply);
    return new Phone({ baseUrl, appScheme, device: reply.body, keys: serializeKeys(keys) }, dependencies);
  }

  /** The phone that {@link toJSON} described. */
  static restore(state: PhoneState, dependencies: PhoneDependencies = {}): Phone {
    return new Phone(state, dependencies);
  }

  get deviceId(): string {
    return this.state.device.deviceId;
  }

  /** Base64 DER. Undefined when the service signs nothing. */
  get signingCertificate(): string | undefined {
    return this.state.device.signingCertificate;
  }

  /** Base64 DER, the issuing CA first, the root last. */
  get certificateChain(): readonly string[] | undefined {
    return this.state.device.certificateChain;
  }

  /** Reads who asks, without a scan: by the text of the QR code, or by the id. Throws {@link UnreadableQr}. */
  preview(qrOrSessionId: string, options?: CallOptions): Promise<Reply<SessionPreview>> {
    const { sessionId, t, a } = this.#read(qrOrSessionId);
    const query = t === undefined ? '' : `?${new URLSearchParams({ t: String(t), a: a ?? '' }).toString()}`;
    return this.call('GET', `${sessionPath(sessionId)}${query}`, undefined, options);
  }

  /** Takes a session: by the text of its QR code, or by its id, as from the inbox. Throws {@link UnreadableQr}. */
  async scan(qrOrSessionId: string, { via, admission, showsDetails = true, ...options }: ScanOptions = {}): Promise<Reply<ScannedSession>> {
    const { sessionId, returnUrl, t, a } = this.#read(qrOrSessionId);
    const frame = admission === undefined ? t !== undefined && { t, a } : { admission };
    const body = {
      ...(returnUrl !== undefined && { return_url: returnUrl }),
      ...frame,
      ...(via && { via }),
      ...(showsDetails && { shows_details: true }),
    };
    const reply = await this.call<ScannedSession>('POST', `${sessionPath(sessionId)}/scan`, body, options);
    if (reply.ok) this.#shown = reply.body;
    return reply;
  }

  /** Confirms the session that was scanned last, or the given one. */
  async confirm(pin: string, scanned: ScannedSession = this.#onScreen(), { code, ...options }: ConfirmOptions = {}): Promise<Reply<SessionOutcome>> {
    const key = scanned.signatureType === 'SIGNING' ? this.#operations.signing : this.#operations.authentication;
    const signature = toBase64(await key.sign(Uint8Array.from(Buffer.from(scanned.toBeSigned, 'base64'))));
    const body = { pin_proof: await pinProof(this.#operations.pin, pin), signature, ...(code !== undefined && { verification_code: code }) };
    return this.call('POST', `${sessionPath(scanned.sessionId)}/confirm`, body, options);
  }

  /** Declines: the person says no, or leaves without an answer. */
  decline(reason: 'DECLINED' | 'LEFT', sessionId = this.#onScreen().sessionId, options?: CallOptions): Promise<Reply<SessionOutcome>> {
    return this.call('POST', `${sessionPath(sessionId)}/decline`, { reason }, options);
  }

  /** The sessions that were pushed to the person; with `waitSeconds`, once there is one. */
  pending(waitSeconds?: number, options: CallOptions = {}): Promise<Reply<PendingSessions>> {
    const prefer = waitSeconds === undefined ? {} : { prefer: `wait=${waitSeconds}` };
    return this.call('GET', '/app/v1/session/pending', undefined, { ...options, headers: { ...prefer, ...options.headers } });
  }

  device(options?: CallOptions): Promise<Reply<DeviceState>> {
    return this.call('GET', '/app/v1/device', undefined, options);
  }

  /** Any request, with a right proof or a tampered one. */
  call<Body>(method: string, path: string, body?: object | string, options?: CallOptions): Promise<Reply<Body>> {
    return this.#connection.call<Body>(method, path, body, options);
  }

  toJSON(): PhoneState {
    return this.state;
  }

  #read(qrOrSessionId: string): Pick<QrPayload, 'sessionId'> & Partial<QrPayload> {
    return qrOrSessionId.includes(':') ? readQrPayload(qrOrSessionId, this.state.appScheme) : { sessionId: qrOrSessionId };
  }

  #onScreen(): ScannedSession {
    if (!this.#shown) throw new Error('the phone has scanned nothing');
    return this.#shown;
  }
}

const sessionPath = (sessionId: string): string => `/app/v1/session/${encodeURIComponent(sessionId)}`;
