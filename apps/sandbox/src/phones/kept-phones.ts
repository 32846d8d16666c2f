import { Phone, type PhoneState } from '#device-client';
import { appendFact, type EventStore, streamName } from '#event-store';
import { type Clock, type DeviceId, DomainError, type DomainEvent, parseId, type Randomness, type Sealer } from '#kernel';

import type { PersonaName } from './personas.js';

export class PhoneNotFound extends DomainError {
  readonly code = 'phone_not_found';
}

export interface ScriptedPhone {
  readonly phone: Phone;
  readonly persona: PersonaName;
  /** How long `slow` thinks. */
  readonly delaySeconds: number;
}

type PhoneKept = DomainEvent<'SandboxPhoneKept', { readonly at: number; readonly sealed: string }>;
type Kept = { readonly state: PhoneState; readonly persona: PersonaName; readonly delaySeconds: number };

/** The scripted phones, with their private keys, encrypted in the streams `sandboxphone-<deviceId>`: they stay over restarts. */
export class KeptPhones {
  constructor(
    private readonly store: EventStore,
    private readonly sealer: Sealer,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  async keep({ phone, persona, delaySeconds }: ScriptedPhone): Promise<void> {
    const stream = streamName('sandboxphone', phone.deviceId);
    const kept: Kept = { state: phone.toJSON(), persona, delaySeconds };
    const event: PhoneKept = { type: 'SandboxPhoneKept', data: { at: this.clock.now(), sealed: this.sealer.seal(kept, stream) } };
    await appendFact(this.store, this.randomness, stream, event);
  }

  /** Throws {@link PhoneNotFound}. */
  async get(phoneId: string): Promise<ScriptedPhone> {
    const id = parseId<DeviceId>(phoneId);
    if (!id) throw new PhoneNotFound('no UUID');
    const stream = streamName('sandboxphone', id);
    const [event] = (await this.store.read(stream, { direction: 'backwards', limit: 1 })) as unknown as readonly PhoneKept[];
    if (!event) throw new PhoneNotFound('unknown phone');
    const { state, ...script } = this.sealer.open<Kept>(event.data.sealed, stream);
    return { ...script, phone: Phone.restore(state, { clock: this.clock, randomness: this.randomness }) };
  }
}
