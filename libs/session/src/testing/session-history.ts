import { type EventStore, NO_STREAM, streamName } from '#event-store';
import { type Clock, type DeviceId, type DomainEvent, type IdentityId, type KeyRing, type Randomness, Sealer } from '#kernel';

import type { SessionEvent } from '../domain/session.events.js';

export const DEVICE = '00000000-0000-4000-8000-00000000d001' as DeviceId;

/** Appends the events of other apps to session streams: the phone's scan, for instance. */
export interface SessionHistory {
  seal(sessionId: string, texts: Readonly<Record<string, string>>): string;
  append(sessionId: string, ...events: readonly SessionEvent[]): Promise<void>;
  scan(sessionId: string): Promise<void>;
  /** Scans and confirms. */
  confirm(sessionId: string): Promise<void>;
  /** The types of the stored events. */
  events(sessionId: string): Promise<readonly string[]>;
}

export interface SessionHistoryDependencies {
  readonly eventStore: EventStore;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly keys: { readonly data: KeyRing };
  /** The person that scans and confirms, with {@link DEVICE}. */
  readonly identityId: IdentityId;
}

export const sessionHistory = ({ eventStore, clock, randomness, keys, identityId }: SessionHistoryDependencies): SessionHistory => {
  const streamOf = (sessionId: string) => streamName('session', sessionId);
  const sealer = new Sealer(keys.data, randomness);
  const seal = (sessionId: string, texts: Readonly<Record<string, string>>) => sealer.seal(texts, streamOf(sessionId));

  const append = async (sessionId: string, ...events: readonly SessionEvent[]): Promise<void> => {
    const stream = streamOf(sessionId);
    const [last] = await eventStore.read(stream, { direction: 'backwards', limit: 1 });
    await eventStore.append(stream, last?.revision ?? NO_STREAM, events as readonly DomainEvent[]);
  };
  const scan = (sessionId: string): Promise<void> => {
    const sealed = seal(sessionId, { relyingPartyName: 'Shop', toBeSigned: '', signatureAlgorithm: 'ES256' });
    return append(sessionId, { type: 'SessionScanned', data: { deviceId: DEVICE, identityId, sealed, at: clock.now() } });
  };
  return {
    seal,
    append,
    scan,
    confirm: async (sessionId) => {
      await scan(sessionId);
      const at = clock.now();
      await append(sessionId, { type: 'SessionConfirmed', data: { signature: '', codeExpiresAt: at + 60_000, at } });
    },
    events: async (sessionId) => (await eventStore.read(streamOf(sessionId))).map(({ type }) => type),
  };
};
