import type { ScanReports } from '#session';
import type { Log, Metrics } from '#telemetry';

/** Counts scans, and tells of those out of the ordinary. The metric does not name the client, of which there may be any number; the line does. */
export const reportScans = (log: Log, metrics: Metrics): ScanReports => ({
  scanned(labels) {
    metrics.scans.inc(labels);
  },
  unusual({ of, clientId, count }) {
    metrics.unusualScans.inc({ of });
    log.warn('scans out of the ordinary', { component: 'session', reason: `of one ${of}`, count, ...(clientId !== undefined && { clientId }) });
  },
});
