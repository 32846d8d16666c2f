import { type IdentityId, parseId } from '#kernel';

import type { ErasureList, ListedErasures, ListFault } from '../erasure-list/erasure-list.js';
import type { Identities } from '../repositories/identities.js';

/** Told of each fault of the list of erasures: an alarm. */
export type ReportListFault = (fault: ListFault) => void;

/** Who is told of what the list leads to. */
export interface ListReports {
  readonly fault: ReportListFault;
  /** Erases a person again whom the store shows, and has it on the audit trail before: what it throws, the trail does not have. */
  readonly again: (identityId: IdentityId, erase: () => Promise<void>) => Promise<void>;
}

/** Reports each fault of the list once. A line without a MAC is none where the store has the erasure: an earlier release has written it, and the person is listed with a MAC. */
export class TellListFaults {
  readonly #told = new Set<string>();

  constructor(
    private readonly identities: Identities,
    private readonly list: ErasureList,
    private readonly report: ReportListFault,
  ) {}

  /** `listed`: the persons whom the list has by now. Rejects while the store or the list is unavailable. */
  async execute(faults: ListedErasures['faults'], listed: ReadonlyMap<IdentityId, number>): Promise<void> {
    for (const fault of faults) {
      const name = `${fault.reason} ${fault.identityId} ${fault.place}`;
      if (this.#told.has(name)) continue;
      if (!(fault.reason === 'unsigned' && (await this.#isOfEarlierRelease(fault, listed)))) this.report(fault);
      this.#told.add(name);
    }
  }

  async #isOfEarlierRelease(fault: ListFault, listed: ReadonlyMap<IdentityId, number>): Promise<boolean> {
    const identityId = parseId<IdentityId>(fault.identityId);
    if (identityId === undefined) return false;
    if (listed.has(identityId)) return true;
    const erasedAt = await this.identities.erasedAt(identityId);
    if (erasedAt === undefined) return false;
    await this.list.add(identityId, erasedAt);
    return true;
  }
}
