import { type DeviceRecord, type OtherDevice, type OwnDevice, type PhoneApi, pinProof, type Prover } from '#clients/device';
import type { Reply } from '#web-page/browser';
import { type PhoneMemory, withPinAttempts } from './phone-memory.js';
import type { Notice, PhoneState } from './phone-state.js';
import { attemptsLeftIn } from './refusals.js';

export interface OwnDevicesParts {
  readonly phone: {
    readonly prover: Prover | undefined;
    readonly device: DeviceRecord | undefined;
    readonly current: PhoneState;
    showAtHome(part: { readonly others: readonly OtherDevice[] }): void;
    home(notice?: Notice): void;
  };
  readonly api: Pick<PhoneApi, 'devices' | 'revokeDevice' | 'removeThisDevice'>;
  readonly show: (state: PhoneState) => void;
  readonly memory: () => PhoneMemory;
  /** Resolves when it is stored, or the browser has refused that. Never rejects. */
  readonly remember: (memory: PhoneMemory) => Promise<void>;
}

/** The other phones of the person: a notice of each new one, and the dialogue that revokes one. */
export class OwnDevices {
  private round = 0;
  private running = false;
  private listed: readonly OwnDevice[] = [];

  constructor(private readonly parts: OwnDevicesParts) {}

  /** Reads the list once. The home screen does not wait for it. */
  start(): void {
    if (this.running) return;
    this.running = true;
    void this.read((this.round += 1));
  }

  stop(): void {
    this.running = false;
    this.round += 1;
  }

  /** The person confirms that all listed phones are known. The notice stays until that is stored: a page that is closed at once would show it again. */
  async acceptNew(): Promise<void> {
    const { phone, memory, remember } = this.parts;
    await remember({ ...memory(), knownDevices: this.listed.map(({ deviceId }) => deviceId) });
    phone.showAtHome({ others: this.others() });
  }

  /** Asks for the PIN, to revoke this phone. */
  ask(target: OwnDevice): void {
    this.parts.show({ kind: 'REVOKE', target });
  }

  async revoke(pin: string): Promise<void> {
    const { phone, api, show, memory, remember } = this.parts;
    const { current: state, prover, device } = phone;
    if (state.kind !== 'REVOKE' || prover === undefined || device === undefined) return;
    const { target } = state;
    show({ kind: 'REVOKING' });
    const reply = await api.revokeDevice(prover, target.deviceId, await pinProof(device.keys.pin, pin));
    if (reply.kind === 'UNREACHABLE') return show({ kind: 'REVOKE', target, unreachable: true });
    if (reply.kind === 'OK') {
      void remember(withPinAttempts(memory()));
      return phone.home('PHONE_REMOVED');
    }
    const attemptsLeft = reply.errorCode === 'wrong_pin' ? attemptsLeftIn(reply.payload) : undefined;
    if (attemptsLeft !== undefined) void remember(withPinAttempts(memory(), attemptsLeft));
    // The home screen shows every other reason: a lock, or a phone that the service no longer knows.
    return attemptsLeft ? show({ kind: 'REVOKE', target, attemptsLeft }) : phone.home();
  }

  /**
   * Tells the service that this phone is removed, while its key is still at hand. The page does not wait for the answer. Without a connection the
   * service keeps the phone until it is revoked there, and another phone of the person lists it.
   */
  leave(): void {
    const { phone, api } = this.parts;
    if (phone.prover !== undefined) void api.removeThisDevice(phone.prover);
  }

  private async read(round: number): Promise<void> {
    const { phone, api } = this.parts;
    const reply: Reply<readonly OwnDevice[]> = phone.prover ? await api.devices(phone.prover) : { kind: 'UNREACHABLE' };
    if (round !== this.round || reply.kind !== 'OK') return;
    this.listed = reply.body;
    const others = this.others();
    if (others.length > 0) phone.showAtHome({ others });
  }

  /** Until the person has confirmed a list, the phones that were set up after this one are new. The list has the newest phone first. */
  private others(): readonly OtherDevice[] {
    const { knownDevices: known } = this.parts.memory();
    const own = this.listed.findIndex(({ current }) => current);
    return this.listed.flatMap((device, at) =>
      device.current ? [] : [{ ...device, isNew: known === undefined ? at < own : !known.includes(device.deviceId) }],
    );
  }
}
