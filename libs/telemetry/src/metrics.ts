import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

import { DurationHistogram } from './duration-histogram.js';
import { type Exposition, exposition } from './exposition.js';

/** The metrics of one process, shown at `/metrics`. */
export class Metrics {
  readonly registry = new Registry();
  /** Seconds, by the pattern of the route and status. A path is never a label. */
  readonly requests = new DurationHistogram(this.registry, {
    name: 'http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  });
  readonly refusals = new Counter({
    name: 'http_refusals_total',
    help: 'Requests that were refused, by route pattern and error code',
    labelNames: ['route', 'code'] as const,
    registers: [this.registry],
  });
  /** Outcomes: handled, ignored (a type that the group does not handle), duplicate, gap, retried, waited, unknown, dead_letter, redriven (a dead letter that was handed over again). */
  readonly busMessages = new Counter({
    name: 'message_bus_messages_total',
    help: 'Messages by topic, consumer group and outcome',
    labelNames: ['topic', 'group', 'outcome'] as const,
    registers: [this.registry],
  });

  /** Outcomes: done, again (as the handler answered), retried, waited (another service was unavailable), failed (for good). */
  readonly jobRuns = new Counter({
    name: 'job_runs_total',
    help: 'Runs of jobs by queue and outcome',
    labelNames: ['queue', 'outcome'] as const,
    registers: [this.registry],
  });
  readonly jobs = new Gauge({
    name: 'jobs',
    help: 'Jobs that a queue holds, by state: scheduled, due, running, failed',
    labelNames: ['queue', 'state'] as const,
    registers: [this.registry],
  });
  /** Outcomes: done, conflict (another writer came first; the decision is taken again), unavailable, failed. */
  readonly storeCalls = new DurationHistogram(this.registry, {
    name: 'event_store_call_duration_seconds',
    help: 'Time of a call of the event store, by call (append, read) and outcome',
    labelNames: ['call', 'outcome'],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  });
  /** Steps: created, page_opened, scanned, confirmed, completed, redeemed, cancelled, expired. */
  readonly sessionSteps = new Counter({
    name: 'session_steps_total',
    help: 'Steps of sessions that this process has recorded, by kind (login, signing) and step',
    labelNames: ['kind', 'step'] as const,
    registers: [this.registry],
  });
  readonly storeCommits = new Histogram({
    name: 'event_store_commit_writes',
    help: 'Writes in one transaction of the SQLite event store',
    buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000],
    registers: [this.registry],
  });
  /** Calls: of Redis command, script; of PostgreSQL query, transaction; of Kafka produce, commit. Outcomes: done, failed. */
  readonly engineCalls = new DurationHistogram(this.registry, {
    name: 'engine_call_duration_seconds',
    help: 'Time of a call of Redis, PostgreSQL or Kafka, by engine, call and outcome',
    labelNames: ['engine', 'call', 'outcome'],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20],
  });
  /** At the start of a batch, at its end, and each 15 seconds of a slow one; of the partitions of this process alone. */
  readonly busLag = new Gauge({
    name: 'message_bus_lag_messages',
    help: 'Messages of a Kafka partition that the consumer group has not processed, as of its last batch',
    labelNames: ['topic', 'group', 'partition'] as const,
    registers: [this.registry],
  });
  readonly keysBegun = new Gauge({
    name: 'key_not_before_timestamp_seconds',
    help: 'Since when the newest key of a purpose (token, pin, data, event, subject, index) is in use, epoch seconds',
    labelNames: ['purpose'] as const,
    registers: [this.registry],
  });
  readonly newerEvents = new Counter({
    name: 'event_store_newer_events_total',
    help: 'Times a reader met a stored event that only a newer release knows, by category of stream',
    labelNames: ['category'] as const,
    registers: [this.registry],
  });
  /** Reasons: unsigned, key, forged, chain. */
  readonly refusedEvents = new Counter({
    name: 'event_store_events_refused_total',
    help: 'Times a reader met an event that does not carry the MAC that belongs to it, by category of stream and reason',
    labelNames: ['category', 'reason'] as const,
    registers: [this.registry],
  });
  /** Under: key (of `data.json` itself), derived-key (a stream's own). */
  readonly sealedValues = new Counter({
    name: 'sealed_values_total',
    help: 'Values that this process has encrypted, by the id of the key of data.json',
    labelNames: ['key', 'under'] as const,
    registers: [this.registry],
  });
  /** Rules: those of a verification (`trust`, `time-order`, …), certificate-revoked, certificate-unknown. */
  readonly refusedContainers = new Counter({
    name: 'signing_containers_refused_total',
    help: 'Signatures whose container cannot be built, by the rule that it breaks',
    labelNames: ['rule'] as const,
    registers: [this.registry],
  });
  /** Outcomes: published, parked (unknown type), erased (too little left to publish). */
  readonly relayedEvents = new Counter({
    name: 'event_relay_events_total',
    help: 'Stored events by their outcome at the relay',
    labelNames: ['outcome'] as const,
    registers: [this.registry],
  });
  readonly projectedEvents = new Counter({
    name: 'projection_events_total',
    help: 'Events applied to a read model by this process',
    labelNames: ['projection'] as const,
    registers: [this.registry],
  });
  /** Set by the process that writes the read model. For read models that consumers of the bus write, see message_bus_lag_messages. */
  readonly projectionLag = new Gauge({
    name: 'projection_lag_seconds',
    help: 'For how long a read model has not shown all that the event store holds',
    labelNames: ['projection'] as const,
    registers: [this.registry],
  });
  readonly projectionLagEvents = new Gauge({
    name: 'projection_lag_events',
    help: 'Stored events that wait to be applied to a read model; counts to 10,000',
    labelNames: ['projection'] as const,
    registers: [this.registry],
  });
  /** Outcomes: done, deleted, early (the stream says later), unreadable (deleted before, or not shown yet), failed (tried again). */
  readonly sessionTimers = new Counter({
    name: 'session_timers_total',
    help: 'Sessions that were looked at because their time had come, by kind (deadline, result, deletion) and outcome',
    labelNames: ['kind', 'outcome'] as const,
    registers: [this.registry],
  });
  /** Changes: noted (as an event says), renewed (as the stream says when time has come), removed. */
  readonly sessionTimerRows = new Counter({
    name: 'session_timer_rows_total',
    help: 'Rows of the session timers that this process has written, by change',
    labelNames: ['change'] as const,
    registers: [this.registry],
  });
  readonly sessionTimersDue = new Gauge({
    name: 'session_timers_due',
    help: 'Sessions of the partitions of this process whose time has come and that wait, by kind; counts to 100,000',
    labelNames: ['kind'] as const,
    registers: [this.registry],
  });
  readonly sessionTimersLag = new Gauge({
    name: 'session_timers_lag_seconds',
    help: 'How long the earliest of them has waited',
    labelNames: ['kind'] as const,
    registers: [this.registry],
  });
  readonly projectionRebuilds = new Counter({
    name: 'projection_rebuilds_total',
    help: 'Times a read model was built anew since the event store was restored from an older copy',
    labelNames: ['projection'] as const,
    registers: [this.registry],
  });
  readonly relayRefills = new Counter({
    name: 'event_relay_refills_total',
    help: 'Times the topic was lost and filled again',
    registers: [this.registry],
  });
  readonly relayLackingEvents = new Counter({
    name: 'event_relay_lacking_events_total',
    help: 'Events on the topic that the store lacks since it was restored from an older copy',
    registers: [this.registry],
  });
  readonly relayActive = new Gauge({ name: 'event_relay_active', help: '1 while this process holds the lease', registers: [this.registry] });
  readonly relayLag = new Gauge({
    name: 'event_relay_lag_seconds',
    help: 'How far the topic is behind the head of the store',
    registers: [this.registry],
  });

  readonly relayLagEvents = new Gauge({
    name: 'event_relay_lag_events',
    help: 'Stored events that the topic lacks, while the relay lags by more than a second; counts to 10,000',
    registers: [this.registry],
  });
  readonly relayRefillLeft = new Gauge({
    name: 'event_relay_refill_left_seconds',
    help: 'History that a lost topic still has to get again; 0 without a refill',
    registers: [this.registry],
  });

  /** Seconds. What a receiver does to later attempts does not count. */
  readonly webhookDelay = new DurationHistogram(this.registry, {
    name: 'webhook_delay_seconds',
    help: 'Time from an event to the first attempt to deliver its webhook',
    labelNames: [],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
  });
  /** Outcomes: 2xx … 5xx, or why there was no answer. */
  readonly webhookAttempts = new Counter({
    name: 'webhook_attempts_total',
    help: 'Attempts to deliver webhooks by outcome',
    labelNames: ['outcome'] as const,
    registers: [this.registry],
  });
  readonly webhookDeliveries = new Counter({
    name: 'webhook_deliveries_total',
    help: 'Webhook deliveries that have ended, by their end',
    labelNames: ['end'] as const,
    registers: [this.registry],
  });
  readonly webhookEndpointsDisabled = new Counter({
    name: 'webhook_endpoints_disabled_total',
    help: 'Webhook endpoints that the service disabled: GONE (answered 410) or FAILING (for days)',
    labelNames: ['because'] as const,
    registers: [this.registry],
  });

  /** Via: qr, link, push. Network of the page that waits, beside that of the phone: same, other, unknown. */
  readonly scans = new Counter({
    name: 'session_scans_total',
    help: 'Sessions that a phone has scanned: how it came to them, and whether the page that waits is in its network (same, other, unknown)',
    labelNames: ['via', 'network'] as const,
    registers: [this.registry],
  });
  readonly unusualScans = new Counter({
    name: 'unusual_scans_total',
    help: 'Times that the scans of one client, or from one network, were out of the ordinary for five minutes',
    labelNames: ['of'] as const,
    registers: [this.registry],
  });

  readonly pushWakeUps = new Counter({
    name: 'push_wake_ups_total',
    help: 'Attempts to wake a phone by Web Push, by outcome: SENT, AGAIN (tried again later), LATE, GONE, REFUSED, NO_SUBSCRIPTION',
    labelNames: ['outcome'] as const,
    registers: [this.registry],
  });

  /** Outcomes: exported, lost (the collector refused them, or did not answer in time). */
  readonly traceSpans = new Counter({
    name: 'trace_spans_total',
    help: 'Spans that were sent to the collector of traces, by outcome',
    labelNames: ['outcome'] as const,
    registers: [this.registry],
  });

  /** All of them, in the format that the header `Accept` asks for. */
  shown(accept: string | undefined): Promise<Exposition> {
    return exposition(this.registry, accept);
  }

  /**
   * Adds the metrics of the process itself: CPU, memory, event loop delay. Each sample of the loop wakes an idle process, and the time between two
   * samples is part of the delay.
   */
  watchProcess(): this {
    collectDefaultMetrics({ register: this.registry, eventLoopMonitoringPrecision: 50 });
    return this;
  }
}
