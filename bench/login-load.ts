import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

import { type Phone, qrPayload } from '#software-phone';

import type { Load } from './load.js';
import { Stopwatch } from './measurement.js';
import type { RelyingParty } from './relying-party.js';
import type { Measured } from './server.js';
import { PIN } from './staff.js';

export interface LoginParties {
  readonly server: Measured;
  readonly relyingParty: RelyingParty;
  /** One person each. */
  readonly phones: readonly Phone[];
}

/** Whole logins, from the creation of the session to the subjectId: create, scan, confirm, complete, token. */
export const loginLoad = (parties: LoginParties): Load => ({
  name: 'Full login (5 requests)',
  run: async ({ seconds, concurrency, perSecond }) => {
    const stopwatch = new Stopwatch(parties.server);
    const began = performance.now();
    const end = began + seconds * 1000;
    let started = 0;
    /** When the next login is due; without a rate, now. */
    const nextStart = (): number => (perSecond === undefined ? performance.now() : began + (started++ * 1000) / perSecond);
    const worker = async (phone: Phone): Promise<void> => {
      for (let start = nextStart(); start < end; start = nextStart()) {
        const early = start - performance.now();
        if (early > 0) await pause(early);
        try {
          await login(parties.relyingParty, phone);
          stopwatch.took(performance.now() - start);
        } catch (error) {
          stopwatch.failed((error as Error).message);
        }
      }
    };
    await Promise.all(parties.phones.slice(0, concurrency).map(worker));
    return stopwatch.stop();
  },
});

const login = async (relyingParty: RelyingParty, phone: Phone): Promise<void> => {
  const verifier = randomBytes(32).toString('base64url');
  const sessionId = await relyingParty.create(createHash('sha256').update(verifier).digest('base64url'));
  const scanned = await phone.scan(qrPayload('countersign', sessionId, 'https://bench.example/waiting'));
  if (!scanned.ok) throw new Error(`scan: ${scanned.status}`);
  const confirmed = await phone.confirm(PIN, scanned.body);
  if (!confirmed.ok) throw new Error(`confirm: ${confirmed.status}`);
  await relyingParty.exchange(await relyingParty.complete(sessionId), verifier);
};
