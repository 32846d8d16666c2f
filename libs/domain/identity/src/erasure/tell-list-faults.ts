import type { IdentityId } from '#kernel';

import type { ListFault } from '../erasure-list/erasure-list.js';

/** Told of each fault of the list of erasures: an alarm. */
export type ReportListFault = (fault: ListFault) => void;

/** Who is told of what the list leads to. */
export interface ListReports {
  readonly fault: ReportListFault;
  /** Erases a person again whom the store shows, and has it on the audit trail before: what it throws, the trail does not have. */
  readonly again: (identityId: IdentityId, erase: () => Promise<void>) => Promise<void>;
}

/** Reports each fault of the list once. */
export class TellListFaults {
  readonly #told = new Set<string>();

  constructor(private readonly report: ReportListFault) {}

  execute(faults: readonly ListFault[]): void {
    for (const fault of faults) {
      const name = `${fault.reason} ${fault.identityId} ${fault.place}`;
      if (this.#told.has(name)) continue;
      this.report(fault);
      this.#told.add(name);
    }
  }
}
