import { Phone, type PhoneState } from '#clients/software-phone';
import { appendFact, type EventStore, readLast } from '#engines/event-store';
import { type Clock, type DeviceId, domainError, type DomainEvent, parseId, type Randomness, type Sealer } from '#kernel';
import { SANDBOX_PHONES } from '#service/platform';

import type { PersonaName } from './personas.js';

export class PhoneNotFound extends domainError('phone_not_found') {}

export interface ScriptedPhone {
  readonly phone: Phone;
  readonly persona: PersonaName;
  /** The delay of `slow`, in seconds. */
  readonly delaySeconds: number;
}

type PhoneKept = DomainEvent<'SandboxPhoneKept', { readonly at: number; readonly sealed: string }>;
type StoredPhone = { readonly state: PhoneState; readonly persona: PersonaName; readonly delaySeconds: number };

/** The scripted phones, with their private keys, encrypted in the streams `sandboxphone-*`: they stay over restarts. */
export class ScriptedPhones {
  constructor(
    private readonly store: EventStore,
    private readonly sealer: Sealer,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /** `id`: under which it is found; by default that of the device. */
  async keep({ phone, persona, delaySeconds }: ScriptedPhone, id: string = phone.deviceId): Promise<void> {
    const stream = SANDBOX_PHONES.of(id);
    const stored: StoredPhone = { state: phone.toJSON(), persona, delaySeconds };
    const event: PhoneKept = { type: 'SandboxPhoneKept', data: { at: this.clock.now(), sealed: this.sealer.seal(stored, stream) } };
    await appendFact({ store: this.store, clock: this.clock }, stream, event);
  }

  /** Throws {@link PhoneNotFound}. */
  async get(phoneId: string): Promise<ScriptedPhone> {
    const id = parseId<DeviceId>(phoneId);
    if (!id) throw new PhoneNotFound('no UUID');
    const phone = await this.find(id);
    if (!phone) throw new PhoneNotFound('unknown phone');
    return phone;
  }

  /** Undefined where none is kept under the id. */
  async find(id: string): Promise<ScriptedPhone | undefined> {
    const stream = SANDBOX_PHONES.of(id);
    const { last } = await readLast<PhoneKept>(this.store, stream);
    if (!last) return undefined;
    const { state, ...script } = this.sealer.open<StoredPhone>(last.data.sealed, stream);
    return { ...script, phone: Phone.restore(state, { clock: this.clock, randomness: this.randomness }) };
  }
}
