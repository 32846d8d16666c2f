import type { ReportListFault } from '#domain/identity';
import { parseId, type IdentityId } from '#kernel';
import type { Log, Metrics } from '#telemetry';

/** Lines of the log about the faults that one process finds: a forged list may have millions of them. The metric counts all. */
const MOST_LINES = 1_000;

/** Counts each fault of the list of erasures, and names the line in the log. */
export const reportListFaults = ({ log, metrics }: { readonly log: Log; readonly metrics: Metrics }): ReportListFault => {
  let lines = 0;
  return ({ reason, identityId, place }) => {
    metrics.erasureListFaults.inc({ reason });
    lines += 1;
    if (lines > MOST_LINES) return;
    // A line that the service has not written may name any text in place of a person.
    const person = parseId<IdentityId>(identityId);
    const fields = { component: 'registry', reason: `${reason}: ${place}`, ...(person && { identityId: person }) };
    log.error('a line of the list of erasures is not as the service has written it', fields);
  };
};
