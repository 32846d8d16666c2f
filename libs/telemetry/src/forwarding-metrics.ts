import { Counter, Gauge, type Registry } from 'prom-client';

/** Of the audit trail that goes to other systems. Only the process that sends it has values. */
export class ForwardingMetrics {
  readonly lag;
  readonly entries;
  readonly failures;

  constructor(registry: Registry) {
    const registers = [registry];
    const labelNames = ['target'] as const;
    this.lag = new Gauge({
      name: 'audit_forwarding_lag_seconds',
      help: 'Age of the oldest entry of the audit trail that the target has not taken; 0 while it lacks none',
      labelNames,
      registers,
    });
    this.entries = new Counter({
      name: 'audit_forwarded_entries_total',
      help: 'Entries of the audit trail that the target has taken from this process',
      labelNames,
      registers,
    });
    this.failures = new Counter({
      name: 'audit_forwarding_failures_total',
      help: 'Messages with entries of the audit trail that the target has not taken',
      labelNames,
      registers,
    });
  }
}
