import { DomainError, ServiceUnavailable } from '#kernel';

import { type StatusRecord, statusRecord } from '../status/status-record.js';
import type { AuthorizeLogin } from './authorize-login.js';

/** GET status of the hosted page, for the login of one of its cookies. */
export class GetLoginStatus {
  constructor(
    /** Reads cached statuses, which may be some milliseconds old. */
    private readonly cachedLogins: AuthorizeLogin<StatusRecord>,
    private readonly authorizeLogin: AuthorizeLogin,
  ) {}

  /** Throws as {@link AuthorizeLogin.execute} does: a refusal is decided on the session itself. */
  async execute(cookies: readonly string[], sessionId: unknown): Promise<StatusRecord> {
    try {
      return (await this.cachedLogins.execute(cookies, sessionId)).session;
    } catch (refusal) {
      if (!(refusal instanceof DomainError) || refusal instanceof ServiceUnavailable) throw refusal;
      return statusRecord((await this.authorizeLogin.execute(cookies, sessionId)).session);
    }
  }
}
