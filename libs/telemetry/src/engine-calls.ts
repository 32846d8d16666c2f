import type { Clock } from '#kernel';

import type { Metrics } from './metrics.js';

type Engine = 'redis' | 'postgresql' | 'kafka';
/** Few and fixed, since each is a time series of every process. */
type EngineCall = 'command' | 'script' | 'query' | 'transaction' | 'produce' | 'commit';
type Outcome = 'done' | 'failed';

/** Measures how long an engine takes for the calls of this process. */
export class EngineCalls {
  constructor(
    private readonly engine: Engine,
    private readonly parts: { readonly clock: Clock; readonly metrics: Pick<Metrics, 'engineCalls'> },
  ) {}

  /** Starts to measure a call. The caller calls the answered function when the call has ended. */
  begin(call: EngineCall): (outcome: Outcome) => void {
    const { clock, metrics } = this.parts;
    const began = clock.monotonic();
    return (outcome) => metrics.engineCalls.observe({ engine: this.engine, call, outcome }, (clock.monotonic() - began) / 1_000);
  }

  /** Runs the call. An error of it counts as failed, unless `isFailure` says that the engine has answered. */
  async measure<Result>(call: EngineCall, work: () => Promise<Result>, isFailure: (error: unknown) => boolean = () => true): Promise<Result> {
    const end = this.begin(call);
    try {
      const result = await work();
      end('done');
      return result;
    } catch (error) {
      end(isFailure(error) ? 'failed' : 'done');
      throw error;
    }
  }
}
