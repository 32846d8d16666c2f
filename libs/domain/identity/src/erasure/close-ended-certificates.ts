import type { Clock } from '#kernel';
import type { ReadModel } from '#engines/read-model';

import { certificatesEndedBy, withoutCertificates } from '../read-models/ended-certificates.js';
import type { IdentityTables } from '../read-models/identities-projection.js';
import type { Certificates } from '../repositories/certificates.js';

/** Certificates of one round, so that a long backlog does not hold up the erasures. */
const AT_ONCE = 500;

/** Erases certificates that have ended, those of the living and those of erased persons. */
export class CloseEndedCertificates {
  constructor(
    private readonly model: ReadModel<IdentityTables>,
    private readonly certificates: Certificates,
    private readonly clock: Clock,
  ) {}

  /**
   * Tombstones the streams of the 500 that ended first, and then removes their rows: after a crash in between they are tombstoned again, without effect. To
   * be repeated. Rejects while the store or the read model is unavailable.
   */
  async execute(stopping: AbortSignal): Promise<void> {
    const now = this.clock.now();
    const ended = await this.model.read((database) => certificatesEndedBy(database, now, AT_ONCE).execute());
    const closed: string[] = [];
    for (const { serial } of ended) {
      if (stopping.aborted) break;
      await this.certificates.close(serial);
      closed.push(serial);
    }
    if (closed.length > 0) await this.model.remove((database) => withoutCertificates(database, closed).execute());
  }
}
