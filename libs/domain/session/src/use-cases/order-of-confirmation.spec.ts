import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { type Device, DeviceNotFound } from '#domain/identity';
import { CODES, confirmSessionOver } from '#testkit/session/confirm-session-over';
import { DEVICE } from '#testkit/session/session-history';
import { useCaseFixture } from '#testkit/session/use-case-fixture';

import { InvalidSignature } from '../domain/session.errors.js';

/** The checks in the order of the specification, and how a request that fails one is answered, if it fails all later ones too. */
const CHECKS = [
  ['The proof', 'device_not_found'],
  ['Repetition of a success', { status: 'CONFIRMED' }],
  ['The lock', 'device_locked'],
  ['The session', 'session_not_found'],
  ['The verification code', 'wrong_verification_code'],
  ['The PIN', 'wrong_pin'],
  ['The signature', 'invalid_signature'],
] as const;

const PAGE = readFileSync(join(import.meta.dirname, '../../../../../docs/specification/app.md'), 'utf8');

describe('the order of checks of a confirmation', () => {
  it('is that of the specification', () => {
    const [, list = ''] = PAGE.split('## Order of checks of the phone');
    const written = [...(list.split('\n## ')[0] ?? '').matchAll(/^\d+\. ([^.:]+)[.:]/gm)].map(([, check]) => check);
    expect(CHECKS.map(([check]) => check)).toEqual(written);
  });

  it.each(CHECKS)('%s decides before all checks that follow it', async (check, answer) => {
    const fixture = useCaseFixture();
    const failing = new Set<string>(CHECKS.slice(CHECKS.findIndex(([name]) => name === check)).map(([name]) => name));
    const fails = (name: (typeof CHECKS)[number][0]): boolean => failing.has(name);
    try {
      const sessionId = await fixture.begin({ verificationCode: true });
      await fixture.history.scan(sessionId);
      const own: Device = { deviceId: DEVICE, identityId: fixture.identityId, status: 'ACTIVE', authenticationKey: {} };
      const request = (verificationCode: string | undefined) => ({ sessionId, pinProof: 'proof', signature: 'c2lnbmF0dXJl', verificationCode });
      if (check === 'Repetition of a success')
        await confirmSessionOver(fixture, { checkPin: { in: async () => ({ accepted: true }) } }).execute(request(CODES.shown(sessionId)), own);
      const confirmation = confirmSessionOver(fixture, {
        enrolmentProof: { presentIn: async (_, given) => (fails('The proof') ? Promise.reject(new DeviceNotFound('revoked')) : given) },
        checkPin: { in: async () => (fails('The PIN') ? { accepted: false, attemptsLeft: 2, locked: false } : { accepted: true }) },
        verifySignature: async () => (fails('The signature') ? Promise.reject(new InvalidSignature('another key')) : 'c2lnbmF0dXJl'),
      });
      const another = check !== 'Repetition of a success' && fails('The session');
      const device: Device = {
        ...own,
        ...(another && { deviceId: fixture.randomness.uuid() }),
        ...(fails('The lock') && { status: 'LOCKED', lockedUntil: fixture.clock.now() + 60_000 }),
      } as Device;
      const wrong = CODES.choices(sessionId).find((code) => code !== CODES.shown(sessionId));
      const outcome = confirmation.execute(request(fails('The verification code') ? wrong : CODES.shown(sessionId)), device);
      if (typeof answer === 'string') await expect(outcome).rejects.toMatchObject({ code: answer });
      else expect(await outcome).toEqual(answer);
    } finally {
      await fixture.eventStore.close();
    }
  });
});
