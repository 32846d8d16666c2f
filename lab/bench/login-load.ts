import { createHash, randomBytes } from 'node:crypto';

import { type Phone, qrPayload } from '#clients/software-phone';

import type { Load } from './load.js';
import { FULL_LOGIN } from './report.js';
import type { RelyingParty } from './relying-party.js';
import { repeatedLoad } from './repeated-load.js';
import type { Measured } from './server.js';
import { PIN } from './staff.js';

export interface LoginParties {
  readonly server: Measured;
  readonly relyingParty: RelyingParty;
  /** One person each. */
  readonly phones: readonly Phone[];
}

/** Whole logins, from the creation of the session to the subjectId: create, scan, confirm, complete, token. */
export const loginLoad = ({ server, relyingParty, phones }: LoginParties): Load =>
  repeatedLoad({ name: FULL_LOGIN, server, works: phones.map((phone) => () => login(relyingParty, phone)) });

const login = async (relyingParty: RelyingParty, phone: Phone): Promise<void> => {
  const verifier = randomBytes(32).toString('base64url');
  const sessionId = await relyingParty.create(createHash('sha256').update(verifier).digest('base64url'));
  // Without `shows_details`, which these logins do not need and earlier commits refuse: `bench -- between` measures them as well.
  const scanned = await phone.scan(qrPayload('countersign', sessionId, 'https://bench.example/waiting'), { showsDetails: false });
  if (!scanned.ok) throw new Error(`scan: ${scanned.status}`);
  const confirmed = await phone.confirm(PIN, scanned.body);
  if (!confirmed.ok) throw new Error(`confirm: ${confirmed.status}`);
  await relyingParty.exchange(await relyingParty.complete(sessionId), verifier);
};
