import type { Log, Metrics } from '#telemetry';

import type { ScanReports } from './scan-watch.js';

/** Counts scans, and logs those out of the ordinary. The line names the client. The metric does not, since the number of clients has no limit. */
export const reportScans = ({ log, metrics }: { readonly log: Log; readonly metrics: Metrics }): ScanReports => ({
  scanned(labels) {
    metrics.scans.inc(labels);
  },
  unusual({ of, clientId, count }) {
    metrics.unusualScans.inc({ of });
    log.warn('scans out of the ordinary', { component: 'session', reason: `of one ${of}`, count, ...(clientId !== undefined && { clientId }) });
  },
});
