import type { Measurement } from './measurement.js';

export interface LoadOptions {
  readonly seconds: number;
  /** How many are under way at a time. */
  readonly concurrency: number;
  /** At most so many a second, however fast the answers come. Default: as fast as they come. */
  readonly perSecond?: number;
}

/** One thing to be measured. */
export interface Load {
  readonly name: string;
  run(options: LoadOptions): Promise<Measurement>;
}
