import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { EventStoreUnavailable, NO_STREAM, type StreamAppend, type StreamName, streamName, type StreamType, UnitOfWork } from '#engines/event-store';
import { type Device, WrongPin } from '#domain/identity';
import type { DomainEvent, SessionId } from '#kernel';

import { InvalidSignature } from '../domain/session.errors.js';
import { Sessions } from '../repositories/sessions.js';
import { sessionStream } from '../streams.js';
import { confirmSessionOver, type ReplacedParts } from '#testkit/session/confirm-session-over';
import { DEVICE } from '#testkit/session/session-history';
import { useCaseFixture } from '#testkit/session/use-case-fixture';
import type { SignatureToVerify } from './verify-signature.js';

/** The events of a phone, counted. A command is the type of the event. */
const PHONES: StreamType<number, string, DomainEvent> = {
  category: 'device',
  decider: { initial: 0, decide: (type) => [{ type, data: {} }], evolve: (count) => count + 1 },
};

describe('a confirmation whose PIN is right', () => {
  let fixture: ReturnType<typeof useCaseFixture>;
  let sessionId: SessionId;
  let deviceStream: StreamName;
  let together: (readonly StreamAppend[])[];
  let judged: number;
  let asked: SignatureToVerify[];

  beforeEach(async () => {
    fixture = useCaseFixture();
    sessionId = await fixture.begin();
    await fixture.history.scan(sessionId);
    deviceStream = streamName('device', DEVICE);
    [together, judged, asked] = [[], 0, []];
    const { appendTogether } = fixture.eventStore;
    fixture.eventStore.appendTogether = (...given) => (together.push(given[0]), appendTogether.apply(fixture.eventStore, given));
  });
  afterEach(() => fixture.eventStore.close());

  const append = async (stream: StreamName, type: string) => {
    const last = (await fixture.eventStore.read(stream)).at(-1)?.revision ?? NO_STREAM;
    await fixture.eventStore.append(stream, last, [{ type, data: {} }]);
  };

  /** `meanwhile` happens while the signature is verified. The PIN is right unless the device has changed before it is judged. */
  const confirm = (meanwhile = async () => {}) => {
    const checkPin: ReplacedParts['checkPin'] = {
      in: async (streams) => {
        const device = await streams.load(PHONES, deviceStream);
        if (device.state > 0) streams.onReads();
        judged += 1;
        device.decide(device.state > 0 ? 'PinFailed' : 'PinAccepted');
        return device.loaded.state > 0 ? { accepted: false, attemptsLeft: 1, locked: false } : { accepted: true };
      },
    };
    const verifySignature = (signature: SignatureToVerify) => (asked.push(signature), meanwhile().then(() => 'c2lnbmF0dXJl'));
    const useCase = confirmSessionOver(fixture, { checkPin, verifySignature });
    const device: Device = { deviceId: DEVICE, identityId: fixture.identityId, status: 'ACTIVE', authenticationKey: {} };
    return useCase.execute({ sessionId, pinProof: 'proof', signature: 'c2lnbmF0dXJl' }, device);
  };
  /** The sessions of another process. */
  const elsewhere = () => new Sessions(new UnitOfWork(fixture.eventStore, fixture.clock));
  const deviceEvents = async () => (await fixture.eventStore.read(deviceStream)).map(({ type }) => type);
  const confirmationOf = async () => (await fixture.eventStore.read(sessionStream(sessionId))).find(({ type }) => type === 'SessionConfirmed')?.data;
  const lastOfSession = async () => (await fixture.history.events(sessionId)).at(-1);

  it('is stored with the PIN in one transaction', async () => {
    expect(await confirm()).toEqual({ status: 'CONFIRMED' });
    expect(together.map((appends) => appends.map(({ stream }) => stream))).toEqual([[deviceStream, sessionStream(sessionId)]]);
    expect([await deviceEvents(), await lastOfSession(), judged]).toEqual([['PinAccepted'], 'SessionConfirmed', 1]);
  });

  it('is stored with the signature, which was verified over what was shown', async () => {
    const scanned = await fixture.sessions.get(sessionId);
    if (scanned.status !== 'SCANNED') throw new Error('not scanned');
    await confirm();
    const device = expect.objectContaining({ deviceId: DEVICE });
    const shown = { toBeSigned: expect.stringMatching(/./), device, signature: 'c2lnbmF0dXJl' };
    expect(asked).toEqual([{ terms: scanned.terms, scan: scanned.scan, ...shown }]);
    expect(await confirmationOf()).toMatchObject({ signature: 'c2lnbmF0dXJl' });
  });

  it('is not answered when the signature cannot be verified now', async () => {
    const unavailable = new EventStoreUnavailable('the store is unavailable');
    await expect(confirm(() => Promise.reject(unavailable))).rejects.toBe(unavailable);
    expect([await deviceEvents(), await lastOfSession()]).toEqual([[], 'SessionScanned']);
  });

  it('of a document follows the PIN and the signature, which is stored first', async () => {
    sessionId = await fixture.begin({ signing: true });
    await fixture.history.scan(sessionId);
    await fixture.results.prepare(sessionId, { toBeSigned: 'dGV4dA==', manifest: '', signingTime: 0 });
    expect(await confirm()).toEqual({ status: 'SCANNED' });
    expect(together.map((appends) => appends.map(({ stream }) => stream))).toEqual([[deviceStream]]);
    expect(judged).toBe(1);
    expect(await fixture.results.find(sessionId)).toMatchObject({ signature: 'c2lnbmF0dXJl' });
  });

  it('is not stored when the device has changed meanwhile: the PIN is judged again, on a read', async () => {
    await expect(confirm(() => append(deviceStream, 'PinFailed'))).rejects.toBeInstanceOf(WrongPin);
    expect([await deviceEvents(), await lastOfSession(), judged]).toEqual([['PinFailed', 'PinFailed'], 'SessionScanned', 2]);
  });

  it('is refused when the session was withdrawn meanwhile, and no PIN counts', async () => {
    const by = { clientId: fixture.clientId };
    const withdraw = async () => void (await elsewhere().handle(sessionId, { type: 'CancelSession', by, reason: 'WITHDRAWN' }));
    let times = 0;
    const once = async () => (times++ === 0 ? withdraw() : undefined);
    await expect(confirm(once)).rejects.toMatchObject({ code: 'session_expired' });
    expect([await deviceEvents(), await lastOfSession(), judged]).toEqual([[], 'SessionCancelled', 1]);
  });

  it('is refused when the deadline passes meanwhile, and the session ends', async () => {
    await expect(confirm(async () => fixture.clock.advance(120_000))).rejects.toMatchObject({ code: 'session_expired' });
    expect([await deviceEvents(), await lastOfSession()]).toEqual([[], 'SessionExpired']);
  });

  it('is refused for a wrong signature, after the PIN was judged', async () => {
    const wrong = () => Promise.reject(new InvalidSignature('does not verify'));
    await expect(confirm(wrong)).rejects.toMatchObject({ code: 'invalid_signature', reason: 'does not verify' });
    expect([await deviceEvents(), await lastOfSession(), judged]).toEqual([['PinAccepted'], 'SessionScanned', 1]);
  });

  it('is not answered when the store fails: the outcome may be unknown', async () => {
    fixture.eventStore.appendTogether = () => Promise.reject(new Error('disk'));
    await expect(confirm()).rejects.toThrow('disk');
    expect(await deviceEvents()).toEqual([]);
  });

  it('comes after the PIN on a store without transactions over streams', async () => {
    fixture.eventStore.appendTogether = () => Promise.resolve(undefined) as never;
    expect(await confirm()).toEqual({ status: 'CONFIRMED' });
    expect([await deviceEvents(), await lastOfSession(), judged]).toEqual([['PinAccepted'], 'SessionConfirmed', 1]);
    expect(await confirmationOf()).toMatchObject({ signature: 'c2lnbmF0dXJl' });
  });

  it('is stored once of two at the same time', async () => {
    const both = await Promise.allSettled([confirm(), confirm()]);
    expect(both[0].status).toBe('fulfilled');
    expect((await fixture.history.events(sessionId)).filter((type) => type === 'SessionConfirmed')).toHaveLength(1);
    expect((await deviceEvents()).filter((type) => type === 'PinAccepted')).toHaveLength(1);
  });
});
