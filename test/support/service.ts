import { type Answer, exchange, type HttpRequest } from './http.js';
import { DocumentedAnswers } from './documented-answers.js';
import { assertUniversalRules } from './universal-rules.js';

let known: DocumentedAnswers | undefined;
/** Read when the first answer is held against it. */
const reference = (): DocumentedAnswers => (known ??= DocumentedAnswers.ofReference());

/** The service under test: one process, or several replicas behind one or several addresses. */
export class Service {
  #turn = 0;

  constructor(
    readonly baseUrls: readonly string[],
    readonly loginUrl: string,
    readonly adminToken: string,
    /** How long a read may lag behind a write, in milliseconds: 0 in one process, 1 s over replicas (specification/storage.md#client-records-in-caches). */
    readonly staleness: number,
  ) {}

  get loginOrigin(): string {
    return new URL(this.loginUrl).origin;
  }

  /** Sends to the replicas in turn, and holds each answer against the universal rules and the reference (docs/openapi.json). */
  async send(request: HttpRequest): Promise<Answer> {
    const answer = await this.sendUnchecked(request);
    assertUniversalRules(request, answer);
    const faults = reference().faults(request, answer);
    if (faults.length > 0) throw new Error(`the reference does not describe this answer:\n${faults.join('\n')}`);
    return answer;
  }

  sendUnchecked(request: HttpRequest): Promise<Answer> {
    return exchange(this.baseUrls[this.#turn++ % this.baseUrls.length]!, request);
  }
}

export const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
