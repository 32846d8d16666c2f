import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { EventStoreUnavailable, NO_STREAM, type StreamAppend, type StreamName, streamName } from '#event-store';
import { type FoundDevice, WrongPin } from '#identity';
import type { SessionId } from '#kernel';

import { InvalidSignature } from '../domain/session.errors.js';
import { sessionStream } from '../repositories/sessions.js';
import { confirmSessionOver, type ReplacedParts } from '../testing/confirm-session-over.js';
import { DEVICE } from '../testing/session-history.js';
import { useCaseFixture } from '../testing/use-case-fixture.js';
import type { SignatureToVerify } from './verify-signature.js';

describe('a confirmation whose PIN is right on the device as read', () => {
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
    fixture.eventStore.appendTogether = (appends) => (together.push(appends), appendTogether.call(fixture.eventStore, appends));
  });
  afterEach(() => fixture.eventStore.close());

  const append = async (stream: StreamName, type: string) => {
    const last = (await fixture.eventStore.read(stream)).at(-1)?.revision ?? NO_STREAM;
    await fixture.eventStore.append(stream, last, [{ type, data: {} }]);
  };

  /** `meanwhile` happens while the signature is verified. Judged alone, the PIN is right unless the device has changed. */
  const confirm = (meanwhile = async () => {}, proposed = true) => {
    const checkPin: ReplacedParts['checkPin'] = {
      propose: (): StreamAppend | undefined =>
        proposed ? { stream: deviceStream, expected: NO_STREAM, events: [{ type: 'PinAccepted', data: { sessionId } }] } : undefined,
      execute: async () => {
        judged += 1;
        if ((await fixture.eventStore.read(deviceStream)).length > 0) return { accepted: false, attemptsLeft: 1, locked: false };
        await append(deviceStream, 'PinAccepted');
        return { accepted: true };
      },
    };
    const verifySignature = (signature: SignatureToVerify) => (asked.push(signature), meanwhile().then(() => 'c2lnbmF0dXJl'));
    const useCase = confirmSessionOver(fixture, { checkPin, verifySignature });
    const asRead = { state: { status: 'NONE' }, events: [], revision: NO_STREAM } as const;
    const device: FoundDevice = { deviceId: DEVICE, identityId: fixture.identityId, status: 'ACTIVE', authenticationKey: {}, asRead };
    return useCase.execute({ sessionId, pinProof: 'proof', signature: 'c2lnbmF0dXJl' }, device);
  };
  const deviceEvents = async () => (await fixture.eventStore.read(deviceStream)).map(({ type }) => type);
  const confirmationOf = async () => (await fixture.eventStore.read(sessionStream(sessionId))).find(({ type }) => type === 'SessionConfirmed')?.data;
  const lastOfSession = async () => (await fixture.history.events(sessionId)).at(-1);

  it('is stored with the PIN in one transaction', async () => {
    expect(await confirm()).toEqual({ status: 'CONFIRMED' });
    expect(together.map((appends) => appends.map(({ stream }) => stream))).toEqual([[deviceStream, sessionStream(sessionId)]]);
    expect([await deviceEvents(), await lastOfSession(), judged]).toEqual([['PinAccepted'], 'SessionConfirmed', 0]);
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
    expect([await deviceEvents(), await lastOfSession(), judged]).toEqual([[], 'SessionScanned', 0]);
  });

  it('of a document is decided step by step, since its signature is stored first', async () => {
    sessionId = await fixture.begin({ signing: true });
    await fixture.history.scan(sessionId);
    await fixture.results.prepare(sessionId, { toBeSigned: 'dGV4dA==', manifest: '', signingTime: 0 });
    expect(await confirm()).toEqual({ status: 'SCANNED' });
    expect([together, judged]).toEqual([[], 1]);
    expect(await fixture.results.find(sessionId)).toMatchObject({ signature: 'c2lnbmF0dXJl' });
  });

  it('is not stored when the device has changed meanwhile: the PIN is judged on a read', async () => {
    await expect(confirm(() => append(deviceStream, 'PinFailed'))).rejects.toBeInstanceOf(WrongPin);
    expect([await deviceEvents(), await lastOfSession(), judged]).toEqual([['PinFailed'], 'SessionScanned', 1]);
  });

  it('is refused when the session was withdrawn meanwhile, after the PIN was judged', async () => {
    const by = { clientId: fixture.clientId };
    const withdraw = async () => void (await fixture.sessions.handle(sessionId, { type: 'CancelSession', by, reason: 'WITHDRAWN' }));
    let times = 0;
    const once = async () => (times++ === 0 ? withdraw() : undefined);
    await expect(confirm(once)).rejects.toMatchObject({ code: 'session_expired' });
    expect([await deviceEvents(), await lastOfSession(), judged]).toEqual([['PinAccepted'], 'SessionCancelled', 1]);
  });

  it('is refused when the deadline passes meanwhile, and the session ends', async () => {
    await expect(confirm(async () => fixture.clock.advance(120_000))).rejects.toMatchObject({ code: 'session_expired' });
    expect([await lastOfSession(), judged]).toEqual(['SessionExpired', 1]);
  });

  it('is refused for a wrong signature, after the PIN was judged', async () => {
    const wrong = () => Promise.reject(new InvalidSignature('does not verify'));
    await expect(confirm(wrong)).rejects.toMatchObject({ code: 'invalid_signature', reason: 'does not verify' });
    expect([await deviceEvents(), await lastOfSession(), judged]).toEqual([['PinAccepted'], 'SessionScanned', 1]);
  });

  it('is not answered when the store fails: the outcome may be unknown', async () => {
    fixture.eventStore.appendTogether = () => Promise.reject(new Error('disk'));
    await expect(confirm()).rejects.toThrow('disk');
    expect(judged).toBe(0);
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
