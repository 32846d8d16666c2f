import type { ServerResponse } from 'node:http';

import { ServiceUnavailable } from '#kernel';
import { RequestGate } from '#service/http';

import { ResetNotPossible } from '../../sandbox/src/reset-not-possible.js';
import type { SandboxControl } from '../../sandbox/src/app.js';

/** Milliseconds for the requests that are under way when a reset begins. */
const UNDER_WAY = 10_000;

export interface ResetSteps {
  /** The settings for which a reset is refused. */
  readonly heldElsewhere: readonly string[];
  /** Ends what the requests that are under way may wait for. Requests are still answered. */
  readonly stop: () => Promise<void>;
  /** Exchanges what answers requests. No request is under way. */
  readonly exchange: () => Promise<void>;
  /** Told that the exchange failed: nothing answers requests any more. */
  readonly failed: (error: Error) => void;
}

/** The resets of the sandbox. Requests that arrive during one wait for it. */
export class Resets implements SandboxControl {
  readonly gate = new RequestGate();
  #running: Promise<void> | undefined;
  #closed = false;

  constructor(private readonly steps: ResetSteps) {}

  /** Those that are asked for before requests have to wait are one. Throws {@link ResetNotPossible}, and {@link ServiceUnavailable} when the process ends. */
  async reset(response: ServerResponse): Promise<void> {
    const [held] = this.steps.heldElsewhere;
    if (held !== undefined) throw new ResetNotPossible(held);
    if (this.#closed) throw new ServiceUnavailable('the process stops');
    this.gate.leave(response);
    await (this.#running ??= this.#run().finally(() => (this.#running = undefined)));
  }

  /** Resolves when no reset runs, and none begins any more. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running?.catch(() => undefined);
  }

  async #run(): Promise<void> {
    const { stop, exchange, failed } = this.steps;
    await stop();
    const open = this.gate.shut();
    try {
      await this.gate.quiet(UNDER_WAY);
      await exchange();
    } catch (error) {
      failed(error as Error);
      throw new ServiceUnavailable('the reset failed, and the process ends');
    } finally {
      open();
    }
  }
}
