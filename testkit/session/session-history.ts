import { generateKeyPairSync, sign } from 'node:crypto';

import { type EventStore, NO_STREAM, streamName } from '#engines/event-store';
import { type ClientId, type Clock, type DeviceId, type DomainEvent, type IdentityId, type Randomness, type Sealer, type SessionId } from '#kernel';

import type { SessionCreated, SessionEvent } from '#domain/session';
import { enveloped } from './enveloped.js';
import { CODE_CHALLENGE, REDIRECT_URI } from './login-request.js';

export const DEVICE = '00000000-0000-4000-8000-00000000d001' as DeviceId;

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** Appends the events of other apps to session streams: the phone's scan, for instance. */
export interface SessionHistory {
  seal(sessionId: string, texts: Readonly<Record<string, string>>): string;
  /** A pending session, as the session API stores it: a login that began now and lasts two minutes, but for the changes. `texts` are sealed in it. */
  begin(clientId: ClientId, changes?: Partial<SessionCreated['data']>, texts?: Readonly<Record<string, string>>): Promise<SessionId>;
  append(sessionId: string, ...events: readonly SessionEvent[]): Promise<void>;
  scan(sessionId: string): Promise<void>;
  /** The device's signature over a text, as an event holds it. */
  sign(text: string): string;
  /** Enrols {@link DEVICE} for the person, once. */
  enrol(): Promise<void>;
  /** Scans and confirms with it. */
  confirm(sessionId: string): Promise<void>;
  /** The types of the stored events. */
  events(sessionId: string): Promise<readonly string[]>;
}

export interface SessionHistoryDependencies {
  readonly eventStore: EventStore;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly sealer: Sealer;
  /** The person that scans and confirms, with {@link DEVICE}. */
  readonly identityId: IdentityId;
}

export const sessionHistory = ({ eventStore, clock, randomness, sealer, identityId }: SessionHistoryDependencies): SessionHistory => {
  const streamOf = (sessionId: string) => streamName('session', sessionId);
  const seal = (sessionId: string, texts: Readonly<Record<string, string>>) => sealer.seal(texts, streamOf(sessionId));

  const append = async (sessionId: string, ...events: readonly SessionEvent[]): Promise<void> => {
    const stream = streamOf(sessionId);
    const before = await eventStore.read(stream);
    await eventStore.append(stream, before.at(-1)?.revision ?? NO_STREAM, enveloped(events as readonly DomainEvent[], before));
  };
  const begin: SessionHistory['begin'] = async (clientId, changes = {}, texts = {}) => {
    const sessionId = randomness.uuid<SessionId>();
    const at = clock.now();
    const signatureType = changes.signatureType ?? 'AUTHENTICATION';
    const ofLogin = signatureType === 'AUTHENTICATION' && { redirectUri: REDIRECT_URI, codeChallenge: CODE_CHALLENGE };
    const terms = { clientId, signatureType, pushStatus: 'NOT_REQUESTED', ...ofLogin, sealed: seal(sessionId, texts) } as const;
    await append(sessionId, { type: 'SessionCreated', data: { ...terms, at, expiresAt: at + 120_000, ...changes } });
    return sessionId;
  };
  const signed = (data: string | Buffer): string =>
    sign('sha256', Buffer.from(data), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64');
  /** The bytes that the device signs; they are sealed in the scan. */
  const statementOf = async (sessionId: string): Promise<Buffer> => {
    const [created] = await eventStore.read<SessionCreated>(streamOf(sessionId), { limit: 1 });
    return Buffer.from(JSON.stringify({ sessionId, clientId: created?.data.clientId, requested: created?.data.requested }));
  };
  const scan = async (sessionId: string): Promise<void> => {
    const toBeSigned = (await statementOf(sessionId)).toString('base64');
    const sealed = seal(sessionId, { relyingPartyName: 'Shop', toBeSigned, signatureAlgorithm: 'ES256' });
    return append(sessionId, { type: 'SessionScanned', data: { deviceId: DEVICE, identityId, sealed, at: clock.now() } });
  };
  const enrol = async (): Promise<void> => {
    const stream = streamName('device', DEVICE);
    if (await eventStore.exists(stream)) return;
    const { kty, crv, x, y } = publicKey.export({ format: 'jwk' }) as { kty: string; crv: string; x: string; y: string };
    const pin = { proof: { keyId: 'pin', mac: '' }, wrongInRow: 0, wrongTries: [] };
    const data = { at: clock.now(), identityId, authenticationKey: { kty, crv, x, y }, pin };
    await eventStore.append(stream, NO_STREAM, [{ type: 'DeviceEnrolled', data }]);
  };
  return {
    seal,
    begin,
    append,
    scan,
    enrol,
    sign: signed,
    confirm: async (sessionId) => {
      await enrol();
      await scan(sessionId);
      const at = clock.now();
      const signature = signed(await statementOf(sessionId));
      await append(sessionId, { type: 'SessionConfirmed', data: { signature, codeExpiresAt: at + 60_000, at } });
    },
    events: async (sessionId) => (await eventStore.read(streamOf(sessionId))).map(({ type }) => type),
  };
};
