import type { Arrival } from './arrival.js';
import type { HandoverContext } from './message-bus.js';

/** Between heartbeats, in milliseconds. */
export const LONGEST_WAIT = 3_000;

/** How long a handler may run without a heartbeat, in milliseconds. */
const MAX_SILENCE = 20_000;

class HandlerSilent extends Error {
  override readonly name = 'HandlerSilent';
}

/** One call of a handler, and the context that it gets. Most calls end soon and ask for no signal: the signal is made for the others. */
export class Attempt implements HandoverContext {
  readonly #arrival: Pick<Arrival, 'signal' | 'heartbeat'>;
  #signal: AbortSignal | undefined;
  #silent: AbortController | undefined;
  #silence: NodeJS.Timeout | undefined;

  constructor(
    readonly attempt: number,
    arrival: Pick<Arrival, 'signal' | 'heartbeat'>,
  ) {
    this.#arrival = arrival;
  }

  get signal(): AbortSignal {
    return (this.#signal ??= AbortSignal.any([this.#arrival.signal, (this.#silent ??= new AbortController()).signal]));
  }

  async heartbeat(): Promise<void> {
    this.#silence?.refresh();
    await this.#arrival.heartbeat?.();
  }

  /** Rejects when the work neither ends nor calls {@link heartbeat} for too long. Its outcome then does not count. Until then the transport's heartbeat is called for it. */
  run(work: () => Promise<void>): Promise<void> {
    const working = work();
    const { heartbeat } = this.#arrival;
    return new Promise((resolve, reject) => {
      this.#silence = setTimeout(() => {
        end();
        const silent = new HandlerSilent();
        (this.#silent ??= new AbortController()).abort(silent);
        reject(silent);
      }, MAX_SILENCE);
      const beating = heartbeat && setInterval(() => void heartbeat().catch(() => undefined), LONGEST_WAIT); // a failure aborts the arrival
      const end = (): void => {
        clearTimeout(this.#silence);
        this.#silence = undefined;
        clearInterval(beating);
      };
      working.then(
        () => {
          end();
          resolve();
        },
        (error: unknown) => {
          end();
          reject(error as Error);
        },
      );
    });
  }
}
