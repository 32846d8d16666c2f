import type { Answer } from '../../support/http.js';
import { Browser, codeIn, type Login, newPkce, type Phone, type RelyingParty, secret, word } from '../../support/index.js';
import type { Entry, Journal, Outcome } from './journal.js';

/** How far a login got, so that it can be taken up again after a restart. */
export interface Attempt {
  readonly client: RelyingParty;
  readonly phone: Phone;
  readonly key: string;
  readonly body: Record<string, unknown>;
  readonly verifier: string;
  login?: Login;
  code?: string;
  subjectId?: string;
}

/** Thrown for a request without an answer: its outcome is unknown. */
class Unanswered extends Error {}

/** Users who log in one after the other, and write down every answer, until the service is gone. */
export class Load {
  readonly attempts: Attempt[] = [];
  #running = true;

  constructor(private readonly journal: Journal) {}

  stop(): void {
    this.#running = false;
  }

  /** One user; ends when the service no longer answers. */
  async user(client: RelyingParty, phone: Phone, hosted: boolean): Promise<void> {
    while (this.#running) {
      const { verifier, challenge } = newPkce();
      const body = client.sessionBody({ code_challenge: challenge, hosted_page: hosted });
      const attempt: Attempt = { client, phone, key: secret('Idempotency-Key', word()), body, verifier };
      this.attempts.push(attempt);
      try {
        await this.#logIn(attempt, hosted);
      } catch (error) {
        if (error instanceof Unanswered) return;
        throw error;
      }
    }
  }

  async #logIn(attempt: Attempt, hosted: boolean): Promise<void> {
    const { client, phone } = attempt;
    const created = await this.#create(attempt);
    const { sessionId, handoffToken } = created;
    if (hosted) await this.#do('claim', sessionId, new Browser(client.service).claim(handoffToken));
    await this.#do('scan', sessionId, phone.scan(sessionId));
    if (this.attempts.length % 7 === 0) {
      await this.#do('decline', sessionId, phone.decline(sessionId));
      return;
    }
    await this.#do('confirm', sessionId, phone.confirm(sessionId));
    const completed = await this.#do('complete', sessionId, client.complete(created));
    attempt.code = codeIn(completed.json!['redirect'] as string);
    const exchanged = await this.#do('exchange', sessionId, client.token(attempt.code, attempt.verifier));
    attempt.subjectId = exchanged.json!['subjectId'] as string;
  }

  async #create(attempt: Attempt): Promise<Login> {
    const answer = await create(attempt).catch(() => undefined);
    if (answer?.status !== 200) throw new Unanswered();
    attempt.login = loginOf(answer, attempt);
    this.journal.record({ command: 'create', sessionId: attempt.login.sessionId, outcome: 'ok' });
    return attempt.login;
  }

  async #do(command: Entry['command'], sessionId: string, asked: Promise<Answer>): Promise<Answer> {
    const answer = await asked.catch(() => undefined);
    const outcome: Outcome = answer === undefined || answer.status === 503 ? 'unknown' : answer.status < 300 ? 'ok' : 'fail';
    this.journal.record({ command, sessionId, outcome });
    if (outcome === 'unknown') throw new Unanswered();
    if (outcome === 'fail') throw new Error(`${command}: ${answer!.status} ${answer!.text}`);
    return answer!;
  }
}

/** POST session with the attempt's key and body: the same call, however often. */
export const create = ({ client, key, body }: Attempt): Promise<Answer> =>
  client.call('POST', '/relying-party/v1/session', body, { 'idempotency-key': key });

export const loginOf = (answer: Answer, { body, verifier }: Attempt): Login => {
  const login = answer.json as unknown as Login;
  return { ...login, verifier, challenge: body['code_challenge'] as string, state: body['state'] as string };
};
