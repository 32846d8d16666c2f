import { type Answer, type HttpRequest, Service } from '../../support/index.js';

/** The service, with a record of every request that broke or was answered 500 or above, by a gateway too. */
export class FailureRecordingService extends Service {
  readonly failures: string[] = [];
  requests = 0;

  constructor({ baseUrls, loginUrl, adminToken, staleness }: Service) {
    super(baseUrls, loginUrl, adminToken, staleness);
  }

  override async sendUnchecked(request: HttpRequest): Promise<Answer> {
    this.requests += 1;
    const began = new Date().toISOString();
    const note = (what: unknown): number => this.failures.push(`${began} ${request.method} ${request.path}: ${String(what)}`);
    try {
      const answer = await super.sendUnchecked(request);
      if (answer.status >= 500) note(`${answer.status} ${answer.text.slice(0, 200)}`);
      return answer;
    } catch (error) {
      note(error);
      throw error;
    }
  }
}
