import { type Reply, type ScanLink, ServerClock } from '../../../../web-page/calls/src/index.js';
import type { DeviceKeys } from '../device/keys.js';
import type { Prover } from '../crypto/device-proof.js';
import type { Answers } from './answers.js';
import {
  type AcceptedPin,
  type Confirmed,
  type DeviceStatus,
  type Enrolled,
  readAccepted,
  readCertificate,
  readConfirmed,
  readDeviceStatus,
  readEnrolled,
  readHolderName,
  readStatus,
  type SigningCertificate,
} from './device-answers.js';
import { type BlockedClient, readBlockedClients, readSessionClient, type SessionClient } from './blocked-client.js';
import { type CallOptions, DeviceCalls, type Reader, type ReadyRequest } from './device-calls.js';
import { type OwnDevice, readOwnDevices } from './own-device.js';
import { type PushedSession, readPending } from './pushed-session.js';
import { readPreview, type SessionPreview } from './session-preview.js';
import { readSessionRequest, type SessionRequest } from './session-request.js';

/** The body of an enrolment, in the names of the protocol. */
export interface EnrolRequest {
  readonly activation_code: string;
  readonly name: string;
  readonly platform: string;
  /** A PKCS#10 request of the signing key, base64 DER. */
  readonly signing_csr: string;
  readonly pin_proof: string;
}

/** The session that a scan takes. */
export interface ScanTarget extends ScanLink {
  readonly admission?: string;
}

/** The phone's approval, as it is sent. */
export interface SentApproval {
  readonly pinProof: string;
  /** base64 */
  readonly signature: string;
  /** Of a signature: the time that was signed. Epoch seconds. */
  readonly signingTime?: number | undefined;
  /** Of a pushed session: the verification code that the person chose. */
  readonly code?: string | undefined;
}

type Pushes = Answers['GET /app/v1/push-subscription'];

/** The pushes of this phone, as the service knows them. `subscribed` is false also after the push service has ended the subscription: the browser then needs another one. */
export interface PushState extends Pushes {
  /** '' if the service sends no pushes. */
  readonly publicKey: string;
}

/** Where and under which keys this browser takes pushes. */
export interface PushKeys {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
}

/** How long the service is asked to hold the inbox. */
const WAIT_SECONDS = 25;
const BLOCKED = '/app/v1/blocked-clients';
const PUSH = '/app/v1/push-subscription';

/** The calls of one device to `/app/v1`. REFUSED with `invalid_device_proof` means that the device was revoked, and nothing else. */
export class PhoneApi {
  private readonly calls: DeviceCalls;

  /** @param baseUrl {base_url} of the service */
  constructor(baseUrl: string, clock = new ServerClock(), send: typeof fetch = (input, init) => fetch(input, init)) {
    this.calls = new DeviceCalls(baseUrl, clock, send);
  }

  /** Makes this phone a device of the person to whom the activation code belongs. Uses the code up. */
  enrol(keys: DeviceKeys, request: EnrolRequest): Promise<Reply<Enrolled>> {
    return this.call({ key: keys.authentication, enrolling: true }, 'POST', '/app/v1/device', request, readEnrolled);
  }

  /** The name of the person whose phone an activation code makes this one. The code stays usable. */
  holder(keys: DeviceKeys, code: string): Promise<Reply<string>> {
    return this.call({ key: keys.authentication, enrolling: true }, 'POST', '/app/v1/device/holder', { activation_code: code }, readHolderName);
  }

  /**
   * Gets another certificate for the same signing key; the present one while no renewal is due.
   *
   * @param request a PKCS#10 request of the signing key, base64 DER
   */
  renewCertificate(prover: Prover, request: string): Promise<Reply<SigningCertificate>> {
    return this.call(prover, 'POST', '/app/v1/device/certificate', { signing_csr: request }, readCertificate);
  }

  /** The status of this phone. */
  device(prover: Prover): Promise<Reply<DeviceStatus>> {
    return this.call(prover, 'GET', '/app/v1/device', undefined, readDeviceStatus);
  }

  /** The phones of the person, the newest first. */
  devices(prover: Prover): Promise<Reply<readonly OwnDevice[]>> {
    return this.call(prover, 'GET', '/app/v1/devices', undefined, readOwnDevices);
  }

  /**
   * Revokes a phone of the person.
   *
   * @param proof the PIN proof of this phone
   */
  revokeDevice(prover: Prover, deviceId: string, proof: string): Promise<Reply<true>> {
    return this.call(prover, 'POST', `/app/v1/devices/${encodeURIComponent(deviceId)}/revoke`, { pin_proof: proof }, () => true);
  }

  /** Revokes this phone. The request continues when the page is closed. */
  removeThisDevice(prover: Prover): Promise<Reply<true>> {
    return this.call(prover, 'DELETE', '/app/v1/device', undefined, () => true, { keepalive: true });
  }

  /** Reads who asks. This does not change the session, and the relying party does not learn of it. */
  preview(prover: Prover, { sessionId, t, a }: ScanLink): Promise<Reply<SessionPreview>> {
    const query = t === undefined ? '' : `?${new URLSearchParams({ t: String(t), a: a ?? '' }).toString()}`;
    return this.call(prover, 'GET', `${sessionPath(sessionId)}${query}`, undefined, readPreview);
  }

  /**
   * Takes the session for this phone, and reads its request. The app has to show `details`, where the request has them, to the person before the PIN.
   *
   * @param via how the phone came to the session; absent: by the QR code
   */
  scan(prover: Prover, { sessionId, t, a, admission, returnUrl }: ScanTarget, via?: 'link' | 'push'): Promise<Reply<SessionRequest>> {
    const body = { ...(admission === undefined ? { t, a } : { admission }), return_url: returnUrl, via, shows_details: true };
    return this.call(prover, 'POST', `${sessionPath(sessionId)}/scan`, body, readSessionRequest);
  }

  /** Asks the service to judge the PIN, without an approval. */
  judgePin(prover: Prover, sessionId: string, { pinProof, code }: Omit<SentApproval, 'signature'>): Promise<Reply<AcceptedPin>> {
    const body = { pin_proof: pinProof, verification_code: code };
    return this.call(prover, 'POST', `${sessionPath(sessionId)}/pin`, body, readAccepted);
  }

  /** Sends the approval of the person. */
  confirm(prover: Prover, sessionId: string, { pinProof, signature, signingTime, code }: SentApproval): Promise<Reply<Confirmed>> {
    const body = { pin_proof: pinProof, signature, signing_time: signingTime, verification_code: code };
    return this.call(prover, 'POST', `${sessionPath(sessionId)}/confirm`, body, readConfirmed);
  }

  /**
   * Ends the session without an approval. Answers its status.
   *
   * @param reason whether the person declined, or left without an answer
   */
  decline(prover: Prover, sessionId: string, reason: 'DECLINED' | 'LEFT' = 'DECLINED'): Promise<Reply<string>> {
    return this.call(prover, 'POST', `${sessionPath(sessionId)}/decline`, { reason }, readStatus);
  }

  /** The message that this page was left, for `fetch` with `keepalive`. Its proof is valid for a minute. */
  prepareLeaveMessage(prover: Prover, sessionId: string): Promise<ReadyRequest> {
    return this.calls.prepare(prover, { method: 'POST', path: `${sessionPath(sessionId)}/decline`, body: JSON.stringify({ reason: 'LEFT' }) });
  }

  /** Sessions pushed to this person; the service holds the answer until there is one. */
  pending(prover: Prover, signal?: AbortSignal): Promise<Reply<readonly PushedSession[]>> {
    const options = { headers: { prefer: `wait=${WAIT_SECONDS}, return=representation` }, ...(signal && { signal }) };
    return this.call(prover, 'GET', '/app/v1/session/pending', undefined, readPending, options);
  }

  /** The relying parties that this person has blocked, the one that was blocked last first. */
  blockedClients(prover: Prover): Promise<Reply<readonly BlockedClient[]>> {
    return this.call(prover, 'GET', BLOCKED, undefined, readBlockedClients);
  }

  /** The relying party of a session of this person, also after its end. */
  sessionClient(prover: Prover, sessionId: string): Promise<Reply<SessionClient>> {
    return this.call(prover, 'GET', `${sessionPath(sessionId)}/client`, undefined, readSessionClient);
  }

  /** From now on requests of the relying party reach this person by code only. */
  blockClient(prover: Prover, clientId: string): Promise<Reply<true>> {
    return this.call(prover, 'PUT', blockedPath(clientId), undefined, () => true);
  }

  /** Tells the operator of a relying party that this person has blocked. */
  reportClient(prover: Prover, clientId: string): Promise<Reply<true>> {
    return this.call(prover, 'PUT', `${blockedPath(clientId)}/report`, undefined, () => true);
  }

  /** The relying party may send requests to this person's phones again. */
  unblockClient(prover: Prover, clientId: string): Promise<Reply<true>> {
    return this.call(prover, 'DELETE', blockedPath(clientId), undefined, () => true);
  }

  /** Logs the person out at a relying party: the `logoutClientId` of a login there. It may be repeated. */
  logOut(prover: Prover, clientId: string): Promise<Reply<true>> {
    return this.call(prover, 'POST', `/app/v1/clients/${encodeURIComponent(clientId)}/logout`, undefined, () => true);
  }

  /** Whether pushes wake this phone, and the key to subscribe to them with. */
  pushes(prover: Prover): Promise<Reply<PushState>> {
    return this.call(prover, 'GET', PUSH, undefined, ({ publicKey, subscribed }) => ({
      publicKey: typeof publicKey === 'string' ? publicKey : '',
      subscribed: subscribed === true,
    }));
  }

  /** Subscribes this phone to pushes. Refused for a subscription that the push service has ended. */
  takePushes(prover: Prover, keys: PushKeys): Promise<Reply<true>> {
    return this.call(prover, 'PUT', PUSH, keys, () => true);
  }

  /** Ends the subscription. */
  endPushes(prover: Prover): Promise<Reply<true>> {
    return this.call(prover, 'DELETE', PUSH, undefined, () => true);
  }

  private call<Body>(
    prover: Prover,
    method: string,
    path: string,
    json: object | undefined,
    read: Reader<Body>,
    options?: CallOptions,
  ): Promise<Reply<Body>> {
    return this.calls.send(prover, { method, path, body: json === undefined ? '' : JSON.stringify(json) }, read, options);
  }
}

const blockedPath = (clientId: string): string => `${BLOCKED}/${encodeURIComponent(clientId)}`;

const sessionPath = (sessionId: string): string => `/app/v1/session/${encodeURIComponent(sessionId)}`;
