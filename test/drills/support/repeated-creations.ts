import { expect } from '@jest/globals';

import { type Answer, newPkce, type Phone, type RelyingParty, secret, type Service, word } from '../../support/index.js';
import type { History } from './history.js';
import { type Attempt, create, loginOf } from './load.js';
import { inTurns } from './stored-sessions.js';

/** Creations of sessions that have not been sent yet, each under a key of its own. */
export const newAttempts = (client: RelyingParty, phone: Phone, count: number): Attempt[] =>
  Array.from({ length: count }, () => {
    const { verifier, challenge } = newPkce();
    return {
      client,
      phone,
      key: secret('Idempotency-Key', word()),
      body: client.sessionBody({ code_challenge: challenge }),
      verifier,
    };
  });

/** Sends all of them at once, and causes the fault when some have been answered and the others have not. */
export const interrupted = async (service: Service, attempts: readonly Attempt[], fault: () => Promise<void>): Promise<(Answer | undefined)[]> => {
  const first = Promise.withResolvers<void>();
  const asked = attempts.map(async (attempt) => {
    const answer = await service.sendUnchecked(requestOf(attempt)).catch(() => undefined);
    first.resolve();
    return answer;
  });
  await first.promise;
  await fault();
  return Promise.all(asked);
};

const requestOf = ({ client, key, body }: Attempt) => ({
  method: 'POST',
  path: '/relying-party/v1/session',
  headers: { authorization: client.authorization, 'idempotency-key': key },
  json: body,
});

/** Repeats each of the calls; checks that each makes or made one session, and that a repeated call gets the session of its first answer. */
export const oneSessionEach = async (history: History, attempts: readonly Attempt[], before: readonly (Answer | undefined)[]): Promise<void> => {
  const ids = new Set<unknown>();
  await inTurns(attempts, async (attempt) => {
    const answer = await create(attempt);
    expect(answer.status).toBe(200);
    attempt.login = loginOf(answer, attempt);
    const { sessionId } = attempt.login;
    ids.add(sessionId);
    history.others.push({ client: attempt.client, sessionId });
    history.journal.record({ command: 'create', sessionId, outcome: 'ok' });
    const first = before[attempts.indexOf(attempt)];
    if (first?.status === 200) expect(first.json!['sessionId']).toBe(sessionId);
  });
  expect(ids.size).toBe(attempts.length);
};
