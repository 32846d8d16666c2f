import type { ClientId, Clock } from '#kernel';
import type { ReadModel } from '#engines/read-model';

import { DAY, type FunnelCounts, type FunnelTables, NO_LOGINS, shownDays } from './login-funnel-projection.js';

/** The logins of one day. */
export interface FunnelDay {
  /**
   * UTC.
   *
   * @format date
   */
  readonly day: string;
  readonly created: number;
  readonly scanned: number;
  readonly confirmed: number;
  readonly exchanged: number;
  /** How many logins ended, for each reason. */
  readonly ended: {
    readonly declined: number;
    readonly left: number;
    readonly wrongCode: number;
    readonly pinLocked: number;
    readonly withdrawn: number;
    readonly erased: number;
    readonly expired: number;
  };
}

/** How far the logins of a client came, by day. It follows the store with a short delay. */
export class ReadLoginFunnel {
  constructor(
    private readonly model: ReadModel<FunnelTables>,
    private readonly clock: Clock,
    /** How long a session is stored after its end, in milliseconds. */
    private readonly retention: number,
  ) {}

  /** The last days, today included, the oldest first. Throws {@link ReadModelsUnavailable}. */
  async execute(clientId: ClientId): Promise<readonly FunnelDay[]> {
    const count = shownDays(this.retention);
    const first = Math.floor(this.clock.now() / DAY) - count + 1;
    const rows = await this.model.read((database) =>
      database.selectFrom('login_funnel_v1').selectAll().where('client_id', '=', clientId).where('day', '>=', first).execute(),
    );
    const byDay = new Map(rows.map((row) => [row.day, row]));
    return Array.from({ length: count }, (_, index) => funnelDay(first + index, byDay.get(first + index) ?? NO_LOGINS));
  }
}

const funnelDay = (day: number, row: FunnelCounts): FunnelDay => ({
  day: new Date(day * DAY).toISOString().slice(0, 10),
  created: row.created,
  scanned: row.scanned,
  confirmed: row.confirmed,
  exchanged: row.exchanged,
  ended: {
    declined: row.declined,
    left: row.left,
    wrongCode: row.wrong_code,
    pinLocked: row.pin_locked,
    withdrawn: row.withdrawn,
    erased: row.erased,
    expired: row.expired,
  },
});
