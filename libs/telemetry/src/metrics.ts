import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

import { DurationHistogram } from './duration-histogram.js';
import { EVENT_LOOP_LAG, EventLoopDelay } from './event-loop-delay.js';
import { type Exposition, exposition } from './exposition.js';
import { ForwardingMetrics } from './forwarding-metrics.js';
import { HistoryMetrics } from './history-metrics.js';

/** Milliseconds: the longest time of a timer. */
const NEVER = 2 ** 31 - 1;

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
  readonly refusals = this.counter('http_refusals_total', 'Requests that were refused, by route pattern and error code', 'route', 'code');
  /** Outcomes: handled, ignored (a type that the group does not handle), duplicate, gap, retried, waited, unknown, dead_letter, redriven (a dead letter that was handed over again). */
  readonly busMessages = this.counter('message_bus_messages_total', 'Messages by topic, consumer group and outcome', 'topic', 'group', 'outcome');

  /** Outcomes: done, again (as the handler answered), retried, waited (another service was unavailable), failed (for good). */
  readonly jobRuns = this.counter('job_runs_total', 'Runs of jobs by queue and outcome', 'queue', 'outcome');
  readonly jobs = this.gauge('jobs', 'Jobs that a queue holds, by state: scheduled, due, running, failed', 'queue', 'state');
  /** Outcomes: done, conflict (another writer came first; the decision is taken again), unavailable, failed. */
  readonly storeCalls = new DurationHistogram(this.registry, {
    name: 'event_store_call_duration_seconds',
    help: 'Time of a call of the event store, by call (append, read) and outcome',
    labelNames: ['call', 'outcome'],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  });
  /** Steps: created, page_opened, scanned, confirmed, completed, redeemed, cancelled, expired. */
  readonly sessionSteps = this.counter(
    'session_steps_total',
    'Steps of sessions that this process has recorded, by kind (login, signing) and step',
    'kind',
    'step',
  );
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
  readonly busLag = this.gauge(
    'message_bus_lag_messages',
    'Messages of a Kafka partition that the consumer group has not processed, as of its last batch',
    'topic',
    'group',
    'partition',
  );
  readonly keysBegun = this.gauge(
    'key_not_before_timestamp_seconds',
    'Since when the newest key of a purpose (token, pin, data, event, checkpoint, subject, index) is in use, epoch seconds',
    'purpose',
  );
  readonly newerEvents = this.counter(
    'event_store_newer_events_total',
    'Times a reader met a stored event that only a newer release knows, by category of stream',
    'category',
  );
  /** Reasons: unsigned, key, forged, chain. */
  readonly refusedEvents = this.counter(
    'event_store_events_refused_total',
    'Times a reader met an event that does not carry the MAC that belongs to it, by category of stream and reason',
    'category',
    'reason',
  );
  /** Reasons: unsigned, key, forged (the line counts for nothing); repeated, moved, missing (another party has changed the order, or removed lines). */
  readonly erasureListFaults = this.counter(
    'erasure_list_faults_total',
    'Lines of the list of erasures that this process has found not to be as the service has written them, by reason',
    'reason',
  );
  /** Rules: those of a verification (`trust`, `time-order`, …), certificate-revoked, certificate-unknown. */
  readonly refusedContainers = this.counter(
    'signing_containers_refused_total',
    'Signatures whose container cannot be built, by the rule that it breaks',
    'rule',
  );
  /** Outcomes: built, late (not built in the time that it has). One that is refused counts in signing_containers_refused_total alone. */
  readonly containerDelay = new DurationHistogram(this.registry, {
    name: 'signing_container_delay_seconds',
    help: 'Time from the approval of a signature to its container, or to the end of the time for building it',
    labelNames: ['outcome'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120],
  });
  /** Outcomes: published, parked (unknown type), erased (too little left to publish). */
  readonly relayedEvents = this.counter('event_relay_events_total', 'Stored events by their outcome at the relay', 'outcome');
  readonly projectedEvents = this.counter('projection_events_total', 'Events applied to a read model by this process', 'projection');
  /** Set by the process that writes the read model. For read models that consumers of the bus write, see message_bus_lag_messages. */
  readonly projectionLag = this.gauge(
    'projection_lag_seconds',
    'For how long a read model has not shown all that the event store holds',
    'projection',
  );
  readonly projectionLagEvents = this.gauge(
    'projection_lag_events',
    'Stored events that wait to be applied to a read model; counts to 10,000',
    'projection',
  );
  /** Outcomes: done, deleted, early (the stream says later), unreadable (deleted before, or not shown yet), failed (tried again). */
  readonly sessionTimers = this.counter(
    'session_timers_total',
    'Sessions that were looked at because their time had come, by kind (deadline, result, deletion) and outcome',
    'kind',
    'outcome',
  );
  /** Changes: noted (as an event says), renewed (as the stream says when time has come), removed. */
  readonly sessionTimerRows = this.counter(
    'session_timer_rows_total',
    'Rows of the session timers that this process has written, by change',
    'change',
  );
  readonly sessionTimersDue = this.gauge(
    'session_timers_due',
    'Sessions of the partitions of this process whose time has come and that wait, by kind; counts to 100,000',
    'kind',
  );
  readonly sessionTimersLag = this.gauge('session_timers_lag_seconds', 'How long the earliest of them has waited', 'kind');
  readonly storeRestorations = this.counter(
    'event_store_restorations_total',
    'Times this process was the first to find that the event store was restored from an older copy',
  );
  readonly history = new HistoryMetrics(this.registry);
  readonly forwarding = new ForwardingMetrics(this.registry);
  readonly projectionRebuilds = this.counter(
    'projection_rebuilds_total',
    'Times a read model was built anew since the event store was restored from an older copy',
    'projection',
  );
  readonly relayRefills = this.counter('event_relay_refills_total', 'Times the topic was lost and filled again');
  readonly relayLackingEvents = this.counter(
    'event_relay_lacking_events_total',
    'Events on the topic that the store lacks since it was restored from an older copy',
  );
  readonly relayActive = this.gauge('event_relay_active', '1 while this process holds the lease');
  readonly relayLag = this.gauge('event_relay_lag_seconds', 'How far the topic is behind the head of the store');

  readonly relayLagEvents = this.gauge(
    'event_relay_lag_events',
    'Stored events that the topic lacks, while the relay lags by more than a second; counts to 10,000',
  );
  readonly relayRefillLeft = this.gauge('event_relay_refill_left_seconds', 'History that a lost topic still has to get again; 0 without a refill');

  /** Seconds. What a receiver does to later attempts does not count. */
  readonly webhookDelay = new DurationHistogram(this.registry, {
    name: 'webhook_delay_seconds',
    help: 'Time from an event to the first attempt to deliver its webhook',
    labelNames: [],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
  });
  /** Outcomes: 2xx … 5xx, or why there was no answer. */
  readonly webhookAttempts = this.counter('webhook_attempts_total', 'Attempts to deliver webhooks by outcome', 'outcome');
  readonly webhookDeliveries = this.counter('webhook_deliveries_total', 'Webhook deliveries that have ended, by their end', 'end');
  readonly webhookProofs = this.counter('webhook_proofs_total', 'Proofs of webhook endpoints that they verify signatures, by outcome', 'outcome');
  readonly webhookEndpointsDisabled = this.counter(
    'webhook_endpoints_disabled_total',
    'Webhook endpoints that the service disabled: GONE (answered 410) or FAILING (for days)',
    'because',
  );

  /** Outcomes: done, unavailable (no acceptable answer in time). */
  readonly trustServiceCalls = this.counter(
    'trust_service_calls_total',
    'Calls of trust services (CA, TSA, OCSP) by outcome (done, unavailable)',
    'service',
    'outcome',
  );

  /** Via: qr, link, push. Network of the page that waits, beside that of the phone: same, other, unknown. */
  readonly scans = this.counter(
    'session_scans_total',
    'Sessions that a phone has scanned: how it came to them, and whether the page that waits is in its network (same, other, unknown)',
    'via',
    'network',
  );
  readonly unusualScans = this.counter(
    'unusual_scans_total',
    'Times that the scans of one client, or from one network, were out of the ordinary for five minutes',
    'of',
  );

  readonly clientReports = this.counter('client_reports_total', 'Times that a person has blocked a client and reported its requests');

  readonly personOpenings = this.counter('person_openings_total', 'Times that staff or a token has opened or searched for one person');

  readonly unusualPersonOpenings = this.counter(
    'unusual_person_openings_total',
    'Times that a caller has opened or searched for a person beyond the usual number in an hour',
  );

  readonly personLists = this.counter('person_lists_total', 'Times that the list of persons was read, a page each');

  readonly abandonedTokens = this.gauge('admin_tokens_abandoned', 'Valid admin tokens whose maker has left the staff or was erased');

  readonly pushWakeUps = this.counter(
    'push_wake_ups_total',
    'Attempts to wake a phone by Web Push, by outcome: SENT, AGAIN (tried again later), LATE, GONE, REFUSED, NO_SUBSCRIPTION',
    'outcome',
  );

  /** Outcomes: exported, lost (the collector refused them, or did not answer in time). */
  readonly traceSpans = this.counter('trace_spans_total', 'Spans that were sent to the collector of traces, by outcome', 'outcome');

  /** All of them, in the format that the header `Accept` asks for. */
  shown(accept: string | undefined): Promise<Exposition> {
    return exposition(this.registry, accept);
  }

  /** Adds the metrics of the process itself: CPU, memory, event loop delay. */
  watchProcess(): this {
    const all = new Registry();
    // The library would sample the event loop all the time: EventLoopDelay takes its place.
    collectDefaultMetrics({ register: all, eventLoopMonitoringPrecision: NEVER });
    for (const { name } of all.getMetricsAsArray()) {
      const metric = all.getSingleMetric(name);
      if (metric && !name.startsWith(EVENT_LOOP_LAG)) this.registry.registerMetric(metric);
    }
    new EventLoopDelay(this.registry).watch();
    return this;
  }

  private counter<Label extends string = never>(name: string, help: string, ...labelNames: readonly Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  private gauge<Label extends string = never>(name: string, help: string, ...labelNames: readonly Label[]): Gauge<Label> {
    return new Gauge({ name, help, labelNames, registers: [this.registry] });
  }
}
