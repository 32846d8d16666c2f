import type { ScanReports } from '#domain/session';
import type { Log, Metrics } from '#telemetry';

/** Counts scans, and logs those out of the ordinary. The line names the client. The metric does not, since the number of clients has no limit. */
export const reportScans = (log: Log, metrics: Metrics): ScanReports => ({
  scanned(labels) {
    metrics.scans.inc(labels);
  },
  unusual({ of, clientId, count }) {
    metrics.unusualScans.inc({ of });
    log.warn('scans out of the ordinary', { component: 'session', reason: `of one ${of}`, count, ...(clientId !== undefined && { clientId }) });
  },
});
