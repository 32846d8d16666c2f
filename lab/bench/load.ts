import type { Measurement } from './measurement.js';

export interface LoadOptions {
  readonly seconds: number;
  /** How many are under way at a time. */
  readonly concurrency: number;
  /** At most so many a second, however fast the answers come. Default: as fast as they come. */
  readonly perSecond?: number;
  /**
   * Keeps the load's processor awake while it waits for answers. A load that sleeps has to be woken by the server's processor for each answer, so the faster a
   * server is, the more it pays. Default: false.
   */
  readonly awake?: boolean;
}

/** One thing to be measured. */
export interface Load {
  readonly name: string;
  run(options: LoadOptions): Promise<Measurement>;
}
