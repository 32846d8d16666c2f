import { approve, type Bytes, CertificateRenewal, checkRequest, type DeviceRecord, type Prover, type SessionRequest } from '#clients/device';
import type { Reply } from '#web-page/browser';
import { LeaveNotice } from './leave-notice.js';
import { LinkDialogue } from './link-dialogue.js';
import type { DeviceCheck } from './device-watch.js';
import { EnrolmentDialogue } from './enrolment-dialogue.js';
import { type Entry, readInput, withoutReturnUrl } from './entry.js';
import { OwnDevices } from './own-devices.js';
import { EMPTY_MEMORY, type PhoneMemory, remembered, withPinAttempts } from './phone-memory.js';
import { type Arrival, type Opened, type Outcome, viaOf } from './outcome.js';
import { type AnsweredRequest, outcomeState } from './outcome-state.js';
import type { PhoneParts } from './phone-parts.js';
import { type HomeState, isEngaged, isOpen, type Notice, type PhoneState } from './phone-state.js';
import { attemptsLeftIn, outcomeOf } from './refusals.js';

/** The authenticator: its device, the request that it shows, and the person's decisions. */
export class Phone {
  private state: PhoneState = { kind: 'LOADING' };
  device: DeviceRecord | undefined;
  /** The request that opened this phone, kept until the phone is set up. */
  private waiting: Opened | undefined;
  private opened: Opened | undefined;
  private memory: PhoneMemory = EMPTY_MEMORY;
  private deviceCheck: DeviceCheck = { kind: 'CHECKING' };
  /** The bytes of the shown request, checked against the shown values. */
  private checked: Bytes | undefined;
  private readonly leaveNotice: LeaveNotice;
  /** Sets this phone up. */
  readonly enrolment: EnrolmentDialogue;
  /** Asks about requests that come by a link. */
  readonly links: LinkDialogue;
  /** The other phones of the person. */
  readonly devices: OwnDevices;
  /** Keeps the signing certificate valid. */
  readonly renewal: CertificateRenewal;

  constructor(private readonly parts: PhoneParts) {
    this.leaveNotice = new LeaveNotice(parts.sendOnLeaving, parts.openRequest);
    const [show, enrolled] = [(state: PhoneState) => this.show(state), (device: DeviceRecord) => this.enrolled(device)];
    this.enrolment = new EnrolmentDialogue({ enrolment: parts.enrolment, appScheme: parts.appScheme, show, enrolled });
    this.links = new LinkDialogue({ phone: this, api: parts.api, show, refused: (reply, opened) => this.end(reply, undefined, opened) });
    this.devices = new OwnDevices({ phone: this, api: parts.api, show, memory: () => this.memory, remember: (memory) => this.remember(memory) });
    this.renewal = new CertificateRenewal({ ...parts, phone: this });
  }

  get current(): PhoneState {
    return this.state;
  }

  /** Makes the proofs of the enrolled device. */
  get prover(): Prover | undefined {
    return this.device && { deviceId: this.device.deviceId, key: this.device.keys.authentication };
  }

  async start(entry: Entry | undefined): Promise<void> {
    [this.device, this.memory = EMPTY_MEMORY] = await Promise.all([this.parts.store.load(), this.parts.memory.load()]);
    const { prover } = this;
    if (prover !== undefined) void this.leaveNotice.declineLeft((sessionId) => this.parts.api.decline(prover, sessionId, 'LEFT'));
    await this.take(entry);
  }

  /** Takes input from the address, the camera or the clipboard. */
  async take(entry: Entry | undefined, arrival: Arrival = 'LINK'): Promise<void> {
    if (this.device === undefined) {
      if (entry?.kind === 'SCAN') this.waiting = { link: entry.link, arrival };
      return this.enrolment.restart(entry?.kind === 'ACTIVATE' ? entry.code : '');
    }
    if (entry?.kind === 'SCAN') return this.links.arrive({ link: entry.link, arrival });
    if (!isEngaged(this.state)) this.home(entry?.kind === 'ACTIVATE' ? 'ALREADY_SET_UP' : undefined);
  }

  /**
   * Takes a text that another screen or window showed: there may be no page on this device to return to.
   * @param byCamera the camera also sees codes that are not for this phone
   * @returns false when this phone does not understand the text
   */
  async takeText(text: string, { byCamera = false } = {}): Promise<boolean> {
    const entry = readInput(text, this.parts.appScheme);
    const arrival = byCamera ? 'CAMERA' : 'PASTE';
    if (entry?.kind === 'SCAN') await this.take({ kind: 'SCAN', link: withoutReturnUrl(entry.link) }, arrival);
    else if (entry !== undefined) await this.take(entry);
    else if (!byCamera && this.device !== undefined) this.home('UNREADABLE');
    return entry !== undefined;
  }

  /** Scans a session. From then on it belongs to this phone, and leaving the page declines it. */
  async open(opened: Opened): Promise<void> {
    const { prover } = this;
    if (prover === undefined) return;
    this.leaveNotice.leave();
    this.opened = opened;
    this.show({ kind: 'OPENING' });
    await this.renewal.renew();
    const reply = await this.parts.api.scan(prover, opened.link, viaOf(opened.arrival));
    if (reply.kind !== 'OK') return this.end(reply);
    const [request, { device }] = [reply.body, this];
    this.checked = device && (await checkRequest(request, device, this.parts.now()));
    if (this.checked === undefined || request.sessionId !== opened.link.sessionId) {
      await this.parts.api.decline(prover, opened.link.sessionId);
      return this.endRequest('NOT_WHAT_IT_SAYS', request);
    }
    await this.arm(request);
    this.show({ kind: 'CONSENT', request });
  }

  /** Opens the last request again, after it got no answer. To repeat a scan is safe. */
  async tryAgain(): Promise<void> {
    if (this.state.kind === 'OUTCOME' && this.opened !== undefined) await this.links.arrive(this.opened);
  }

  /** The person agrees. Next comes the choice of the verification code, if the session has one, and then the PIN. */
  proceed(): void {
    if (this.state.kind !== 'CONSENT') return;
    const { request } = this.state;
    const { verificationCodes: codes } = request;
    this.show(codes === undefined ? { kind: 'PIN', request } : { kind: 'CODE', request, codes });
  }

  /** The person chooses the code that the waiting page shows. The service judges it with the PIN. */
  choose(code: string): void {
    if (this.state.kind === 'CODE') this.show({ kind: 'PIN', request: this.state.request, code });
  }

  async confirm(pin: string): Promise<void> {
    const { state, device, checked } = this;
    if (state.kind !== 'PIN' || device === undefined || checked === undefined) return;
    const { request, code } = state;
    const again = { kind: 'PIN', request, ...(code === undefined ? {} : { code }) } as const;
    this.leaveNotice.disarm(); // once the PIN is sent, leaving does not decline
    this.show({ kind: 'CONFIRMING', request });
    const reply = await approve(this.parts.api, device, { request, pin, checked, code });
    if (reply.kind === 'OK') {
      void this.remember(withPinAttempts(this.memory));
      return this.endRequest(request.signatureType === 'SIGNING' ? 'SIGNED' : 'CONFIRMED', { ...request, ...reply.body });
    }
    if (reply.kind === 'UNREACHABLE') return this.askAgain({ ...again, unreachable: true });
    const attemptsLeft = reply.errorCode === 'wrong_pin' ? attemptsLeftIn(reply.payload) : undefined;
    if (attemptsLeft === undefined) return this.end(reply, request);
    void this.remember(withPinAttempts(this.memory, attemptsLeft));
    return attemptsLeft > 0 ? this.askAgain({ ...again, attemptsLeft }) : this.endLocked(request);
  }

  async decline(): Promise<void> {
    const { state, prover } = this;
    if (!isOpen(state) || prover === undefined) return;
    const { request } = state;
    this.leaveNotice.disarm();
    this.show({ kind: 'DECLINING', request });
    const reply = await this.parts.api.decline(prover, request.sessionId);
    if (reply.kind === 'REFUSED' && reply.errorCode !== 'session_not_scanned') return this.end(reply, request);
    this.endRequest('DECLINED', request);
  }

  /** The page is left. Answers whether a request was open; if the page comes back, it shows that outcome. */
  leave(): void {
    const state = this.state.kind === 'PREVIEW' ? this.state.interrupted : this.state;
    if (this.leaveNotice.leave() && state && 'request' in state && state.request) this.endRequest('LEFT', state.request);
  }

  /** The shown request has expired. */
  expire(): void {
    if (isOpen(this.state)) this.endRequest('EXPIRED', this.state.request);
  }

  home(notice?: Notice): void {
    const { device } = this;
    if (device === undefined) return this.show({ kind: 'ENROL_CODE', code: '' });
    this.leaveNotice.leave();
    this.show({ kind: 'HOME', device, check: this.deviceCheck, memory: this.memory, inbox: [], ...(notice === undefined ? {} : { notice }) });
  }

  showCheck(check: DeviceCheck): void {
    this.deviceCheck = check;
    if (this.state.kind === 'HOME') this.show({ ...this.state, check });
  }

  showAtHome(part: Partial<Pick<HomeState, 'inbox' | 'others' | 'blocked'>>): void {
    if (this.state.kind === 'HOME') this.show({ ...this.state, ...part });
  }

  /** The service refused this device's proof. */
  revoked(): void {
    if (this.state.kind === 'HOME') this.show({ kind: 'REVOKED' });
  }

  /** Destroys the keys, and revokes the device at the service where that can be reached. */
  async forget(): Promise<void> {
    this.leaveNotice.leave();
    if (this.state.kind !== 'REVOKED') this.devices.leave();
    await this.parts.store.clear();
    [this.device, this.memory] = [undefined, EMPTY_MEMORY];
    this.deviceCheck = { kind: 'CHECKING' };
    this.show({ kind: 'ENROL_CODE', code: '' });
  }

  private async enrolled(device: DeviceRecord): Promise<void> {
    await this.parts.store.save(device);
    this.device = device;
    const { waiting } = this;
    this.waiting = undefined;
    return waiting === undefined ? this.home('WELCOME') : this.links.arrive(waiting);
  }

  private async askAgain(state: Extract<PhoneState, { kind: 'PIN' }>): Promise<void> {
    await this.arm(state.request);
    this.show(state);
  }

  private async arm({ sessionId }: SessionRequest): Promise<void> {
    const { prover } = this;
    if (prover !== undefined) await this.leaveNotice.arm(sessionId, () => this.parts.api.prepareLeaveMessage(prover, sessionId));
  }

  private end(reply: Exclude<Reply<unknown>, { kind: 'OK' }>, request?: SessionRequest, opened = this.opened): void | Promise<void> {
    this.opened = opened;
    if (reply.kind === 'UNREACHABLE') return this.endRequest('UNREACHABLE', request);
    if (reply.errorCode === 'invalid_device_proof') return this.show({ kind: 'REVOKED' });
    const outcome = outcomeOf(reply);
    return outcome === 'LOCKED' ? this.endLocked(request) : this.endRequest(outcome, request);
  }

  private async endLocked(request: SessionRequest | undefined): Promise<void> {
    const reply = this.prover && (await this.parts.api.device(this.prover));
    const lockedUntil = reply?.kind === 'OK' ? reply.body.lockedUntil : undefined;
    this.deviceCheck = { kind: 'LOCKED', ...(lockedUntil === undefined ? {} : { until: lockedUntil }) };
    this.endRequest('LOCKED', request, lockedUntil);
  }

  private endRequest(outcome: Outcome, request?: AnsweredRequest, lockedUntil?: number): void {
    if (outcome !== 'LEFT') this.leaveNotice.disarm();
    this.checked = undefined;
    if (request !== undefined) void this.remember(remembered(this.memory, request, outcome, this.parts.now()));
    this.show(outcomeState(outcome, { arrival: this.opened?.arrival, request, lockedUntil }));
  }

  /** If the browser refuses to store it, it is shown for this visit only. */
  private remember(memory: PhoneMemory): Promise<void> {
    this.memory = memory;
    return this.parts.memory.save(memory).catch(() => undefined);
  }

  private show(state: PhoneState): void {
    this.state = state;
    this.parts.onChange(state);
  }
}
