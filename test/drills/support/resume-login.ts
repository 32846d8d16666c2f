import { expect } from '@jest/globals';

import { Browser, expectOk, type Service } from '../../support/index.js';
import type { StoredSession } from './checker.js';
import type { Journal } from './journal.js';
import { type Attempt, create, loginOf } from './load.js';

const has = (session: StoredSession | undefined, type: string): boolean => session?.events.some((event) => event.type === type) ?? false;

/** Resumes a login that was under way when the service died: each single-use step succeeds now exactly if it had not succeeded before. */
export const resumeLogin = async (service: Service, journal: Journal, attempt: Attempt, session: StoredSession | undefined): Promise<void> => {
  const { client, phone } = attempt;
  if (!attempt.login) {
    // Whether a session exists is unknown: the same key gives the same session each time.
    const answers = [await create(attempt), await create(attempt)];
    const [first, second] = answers.map((answer) => expectOk(answer)['sessionId']);
    expect(first).toBe(second);
    attempt.login = loginOf(answers[0]!, attempt);
    journal.record({ command: 'create', sessionId: first as string, outcome: 'ok' });
  }
  const { login } = attempt;
  const { sessionId } = login;
  if (journal.outcomes(sessionId, 'decline').length > 0) {
    expect(expectOk(await phone.decline(sessionId))).toEqual({ status: 'CANCELLED' });
    return;
  }
  if (journal.outcomes(sessionId, 'claim').includes('unknown')) {
    expect((await new Browser(service).claim(login.handoffToken)).status).toBe(has(session, 'HandoffClaimed') ? 400 : 200);
  }
  expectOk(await phone.scan(sessionId));
  expectOk(await phone.confirm(sessionId));
  const completion = await client.complete(login);
  expect(completion.status).toBe(has(session, 'SessionCompleted') ? 409 : 200);
  if (completion.status === 200) {
    attempt.code = new URL(completion.json!['redirect'] as string).searchParams.get('code')!;
    journal.record({ command: 'complete', sessionId, outcome: 'ok' });
  }
  if (attempt.code === undefined) return;
  const exchange = await client.token(attempt.code, attempt.verifier);
  expect(exchange.status).toBe(has(session, 'CodeRedeemed') ? 400 : 200);
  if (exchange.status !== 200) return;
  attempt.subjectId = exchange.json!['subjectId'] as string;
  journal.record({ command: 'exchange', sessionId, outcome: 'ok' });
};
