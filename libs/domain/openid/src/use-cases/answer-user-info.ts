import type { ReadUserInfo } from '#domain/session';

import { claimsFrom } from '../domain/claims.js';

/** GET and POST userinfo (OpenID Connect Core section 5.3). */
export class AnswerUserInfo {
  constructor(private readonly readUserInfo: ReadUserInfo) {}

  /** Throws InvalidAccessToken. */
  async execute(accessToken: string): Promise<Readonly<Record<string, string | boolean>>> {
    const { subjectId, clientId: _, ...disclosed } = await this.readUserInfo.execute(accessToken);
    return { sub: subjectId, ...claimsFrom(disclosed) };
  }
}
