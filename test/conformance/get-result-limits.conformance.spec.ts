import { beforeAll, describe, expect } from '@jest/globals';

import { expectError, expectOk, LIFETIMES, SigningClient } from '../support/index.js';
import { after, MARGIN, phone, time, useMovedClock } from './support/moved-clock.js';

useMovedClock('get-result-limits');

let signingClient: SigningClient;

beforeAll(async () => {
  signingClient = await SigningClient.register(time.service);
});

describe('time', () => {
  after(1800, 'the result is retained for 1800 seconds after signing, then session_not_found', async () => {
    const signing = await signingClient.completed(phone);
    await time.pass(1800 - MARGIN);
    expectOk(await signingClient.client.result(signing));
    expect(await signingClient.client.statusOf(signing)).toBe('COMPLETED');
    await time.pass(MARGIN + 2);
    expectError(await signingClient.client.result(signing), 404, 'session_not_found');
    expectError(await signingClient.client.status(signing), 404, 'session_not_found');
  });

  after(LIFETIMES.session + 1, 'a signing session expires as a login does: EXPIRED, and not_signed', async () => {
    for (const signing of [await signingClient.begin(), await signingClient.scanned(phone)]) {
      await time.pass(LIFETIMES.session + 1);
      expect(await signingClient.client.statusOf(signing, 'EXPIRED')).toBe('EXPIRED');
      expectError(await signingClient.client.result(signing), 409, 'not_signed');
      expectError(await phone.confirm(signing.sessionId), 410, 'session_expired');
    }
  });

  after(61, 'with the time-stamp service down: SCANNED for 60 seconds after the confirmation, then CANCELLED, and no result appears', async () => {
    const fault = (time_stamp_down: boolean) => time.service.send({ method: 'POST', path: '/sandbox/v1/faults', json: { time_stamp_down } });
    await fault(true);
    const short = await signingClient.confirmed(phone);
    const { status, expiresAt } = expectOk(await signingClient.client.status(short));
    expect(status).toBe('SCANNED');
    expect(expiresAt).toBeLessThanOrEqual(short.expiresAt);
    expectError(await signingClient.client.result(short), 409, 'not_signed');
    await fault(false);
    expect(await signingClient.settled(short)).toBe('COMPLETED');

    await fault(true);
    const long = await signingClient.confirmed(phone);
    await time.pass(61);
    expect(await signingClient.client.statusOf(long, 'CANCELLED')).toBe('CANCELLED');
    await fault(false);
    await time.pass(5);
    expect(await signingClient.client.statusOf(long)).toBe('CANCELLED');
    expectError(await signingClient.client.result(long), 409, 'not_signed');
  });
});
