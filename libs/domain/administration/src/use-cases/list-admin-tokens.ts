import type { AdminToken } from '../domain/admin-token.js';
import type { AdminTokenRecords } from '../repositories/admin-token-records.js';

export type ListedAdminToken = Omit<AdminToken, 'hash'>;

export class ListAdminTokens {
  constructor(private readonly records: AdminTokenRecords) {}

  /** Revoked ones too, oldest first. */
  async execute(): Promise<readonly ListedAdminToken[]> {
    return (await this.records.all()).map(({ hash: _, ...token }) => token);
  }
}
