import type { ClientId } from '#kernel';
import type { Log, Metrics } from '#telemetry';

/** Receives the reports of persons about clients whose requests they did not want. It learns no person. */
export interface ClientReports {
  reported(clientId: ClientId): void;
}

/** Counts them, and logs the client. The metric does not name it, since the number of clients has no limit. */
export const reportClients = ({ log, metrics }: { readonly log: Log; readonly metrics: Metrics }): ClientReports => ({
  reported(clientId) {
    metrics.clientReports.inc();
    log.warn('a person reports the requests of a client', { component: 'session', clientId });
  },
});
