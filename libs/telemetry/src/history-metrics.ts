import { Counter, Gauge, type Registry } from 'prom-client';

/** Of the checkpoints of the guarded events, and of their comparison with the store. */
export class HistoryMetrics {
  readonly leaves;
  readonly checkpoints;
  readonly checkpointFailures;
  readonly placeFailures;
  readonly losses;
  readonly incomplete;
  readonly passes;
  readonly passLeaves;

  constructor(registry: Registry) {
    const registers = [registry];
    const labelNames = ['place'] as const;
    this.leaves = new Gauge({
      name: 'history_checkpoint_leaves',
      help: 'Guarded events under the newest checkpoint that this process has published',
      labelNames,
      registers,
    });
    this.checkpoints = new Counter({
      name: 'history_checkpoints_total',
      help: 'Checkpoints of the history that this process has published',
      labelNames,
      registers,
    });
    this.checkpointFailures = new Counter({
      name: 'history_checkpoint_failures_total',
      help: 'Tries to publish a checkpoint of the history at a place that did not take it',
      labelNames,
      registers,
    });
    this.placeFailures = new Counter({
      name: 'history_place_failures_total',
      help: 'Comparisons in which a place of checkpoints did not answer',
      labelNames,
      registers,
    });
    this.losses = new Counter({
      name: 'history_losses_total',
      help: 'Losses that comparisons of the store with the published history have found',
      registers,
    });
    this.incomplete = new Gauge({
      name: 'history_incomplete',
      help: '1 while the store lacks what was published, so that changes of rights wait',
      registers,
    });
    this.passes = new Counter({
      name: 'history_passes_total',
      help: 'Passes in which each guarded event was compared with what was published',
      registers,
    });
    this.passLeaves = new Gauge({ name: 'history_pass_leaves', help: 'Guarded events that the last pass has compared', registers });
  }
}
