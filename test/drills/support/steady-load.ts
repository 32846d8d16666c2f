import { type Answer, Browser, codeIn, newPkce, pause, type Phone, type RelyingParty, secret, word } from '../../support/index.js';
import type { Entry, Journal } from './journal.js';
import { type Attempt, create, loginOf } from './load.js';
import { untilAnswered } from './retry.js';

/**
 * The longest time that a user thinks between two logins, in milliseconds. Users who never pause take all of the processor, which the services
 * under test need for their recovery, and make histories that take longer to check than to write.
 */
export const LONGEST_THOUGHT = 2_000;

/**
 * The same with several users, for a fault that lasts for minutes: some request is under way in most seconds. More users would test the fault
 * no better, and would take processor time from the services that must recover.
 */
export const LONGEST_THOUGHT_OF_SEVERAL = 4_000;

/** Raised in a login that cannot go on, because the answer to a step that was carried out is lost. */
class AnswerLost extends Error {}

/**
 * Users who log in one after the other, as well-made clients do: they repeat each request that got no answer, or 503. Writes down
 * every answer. A refusal that no lost answer explains stands in `refusals`.
 */
export class SteadyLoad {
  readonly attempts: Attempt[] = [];
  readonly refusals: string[] = [];
  /** The failures in place of answers: `503, Retry-After: 2`, `502`, or how the connection broke. Each call was repeated. */
  readonly failures: string[] = [];
  /** How long each whole login took, from its creation to the exchange of its code, in milliseconds. */
  readonly times: number[] = [];
  #running = true;
  #users: Promise<void>[] = [];

  /** `thought`: the longest pause of a user between two logins, in milliseconds. */
  constructor(
    private readonly journal: Journal,
    private readonly thought = LONGEST_THOUGHT,
  ) {}

  /** Whole logins so far. */
  get logins(): number {
    return this.attempts.filter(({ subjectId }) => subjectId !== undefined).length;
  }

  /** Adds one user, who starts at once; about every other login is `hosted`. */
  add(client: RelyingParty, phone: Phone): void {
    this.#users.push(this.#user(client, phone));
  }

  /** Waits until every user has finished the current login. */
  async stop(): Promise<void> {
    this.#running = false;
    await Promise.all(this.#users);
  }

  async #user(client: RelyingParty, phone: Phone): Promise<void> {
    for (let turn = 0; this.#running; turn++) {
      const { verifier, challenge } = newPkce();
      const hosted = turn % 2 === 1;
      const body = client.sessionBody({ code_challenge: challenge, hosted_page: hosted });
      const attempt: Attempt = { client, phone, key: secret('Idempotency-Key', word()), body, verifier };
      this.attempts.push(attempt);
      try {
        await this.#logIn(attempt, hosted);
      } catch (error) {
        if (!(error instanceof AnswerLost)) this.refusals.push(String(error));
      }
      if (this.#running) await pause(Math.random() * this.thought);
    }
  }

  async #logIn(attempt: Attempt, hosted: boolean): Promise<void> {
    const { client, phone } = attempt;
    const begun = performance.now();
    const created = await this.#untilAnswered(() => create(attempt));
    if (created.status !== 200) throw new Error(`create: ${created.status} ${created.text}`);
    attempt.login = loginOf(created, attempt);
    const { sessionId, handoffToken } = attempt.login;
    this.journal.record({ command: 'create', sessionId, outcome: 'ok' });
    if (hosted) await this.#do('claim', sessionId, () => new Browser(client.service).claim(handoffToken));
    await this.#do('scan', sessionId, () => phone.scan(sessionId));
    if (this.attempts.length % 7 === 0) {
      await this.#do('decline', sessionId, () => phone.decline(sessionId));
      return;
    }
    await this.#do('confirm', sessionId, () => phone.confirm(sessionId));
    const completed = await this.#do('complete', sessionId, () => client.complete(attempt.login!));
    attempt.code = codeIn(completed.json!['redirect'] as string);
    const exchanged = await this.#do('exchange', sessionId, () => client.token(attempt.code, attempt.verifier));
    attempt.subjectId = exchanged.json!['subjectId'] as string;
    this.times.push(performance.now() - begun);
  }

  async #do(command: Entry['command'], sessionId: string, ask: () => Promise<Answer>): Promise<Answer> {
    let unanswered = 0;
    const answer = await this.#untilAnswered(ask, () => {
      unanswered++;
      this.journal.record({ command, sessionId, outcome: 'unknown' });
    });
    const ok = answer.status < 300;
    this.journal.record({ command, sessionId, outcome: ok ? 'ok' : 'fail' });
    if (ok) return answer;
    if (unanswered > 0) throw new AnswerLost();
    throw new Error(`${command}: ${answer.status} ${answer.text}`);
  }

  #untilAnswered(ask: () => Promise<Answer>, onSilence: () => void = () => {}): Promise<Answer> {
    return untilAnswered(ask, (failure) => {
      this.failures.push(failure);
      onSilence();
    });
  }
}
