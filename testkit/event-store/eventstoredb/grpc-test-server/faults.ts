import { setTimeout as wait } from 'node:timers/promises';

/** The faults that the test server makes on purpose. To freeze the whole server, send its process SIGSTOP. */
export interface FaultSettings {
  /** Milliseconds between the storing of an append and its answer. */
  readonly delayAnswers?: number;
  /** So many of the next appends are stored and never answered. */
  readonly dropAnswers?: number;
  /** So many of the next appends are neither stored nor answered. */
  readonly loseAppends?: number;
  /** So many of the next appends are answered with the error of a server that is starting or overloaded. */
  readonly refuseAppends?: number;
  /** So many of the next reads and subscriptions fail without a name, as those of a server whose handler has thrown. */
  readonly failReads?: number;
  /**
   * How many appends are hidden from reads for a while, during which they refuse others and are not acknowledged: one in ten for up
   * to 100 ms (the default, as measured on a real server), each for 100 ms, each for
   * ever (until the server is started again), or none.
   */
  readonly readLag?: ReadLagShare;
  /** Ends all subscriptions as if that were a good end. */
  readonly endSubscriptions?: true;
}

export const READ_LAG_SHARES = ['sometimes', 'always', 'for-ever', 'never'] as const;
export type ReadLagShare = (typeof READ_LAG_SHARES)[number];

/** One event in so many that caused a conflict was not yet readable on a real server. */
const LAGS_ONE_IN = 10;
/** Milliseconds; up to 65 were measured. */
const LONGEST_LAG = 100;

export class Faults {
  #readLag: ReadLagShare;
  #delay = 0;
  #drop = 0;
  #lose = 0;
  #refuse = 0;
  #failReads = 0;
  readonly #endings = new Set<() => void>();

  constructor(readLag: ReadLagShare = 'sometimes') {
    this.#readLag = readLag;
  }

  set({ delayAnswers, dropAnswers, loseAppends, refuseAppends, failReads, readLag, endSubscriptions }: FaultSettings): void {
    this.#readLag = readLag ?? this.#readLag;
    this.#delay = delayAnswers ?? this.#delay;
    this.#drop = dropAnswers ?? this.#drop;
    this.#lose = loseAppends ?? this.#lose;
    this.#refuse = refuseAppends ?? this.#refuse;
    this.#failReads = failReads ?? this.#failReads;
    if (endSubscriptions) for (const end of [...this.#endings]) end();
  }

  /** The fate of an append that has arrived. */
  fate(): 'kept' | 'lost' | 'refused' {
    if (this.#lose > 0 && this.#lose--) return 'lost';
    if (this.#refuse > 0 && this.#refuse--) return 'refused';
    return 'kept';
  }

  /** Whether a read or a subscription that has arrived fails. */
  failsRead(): boolean {
    if (this.#failReads === 0) return false;
    this.#failReads -= 1;
    return true;
  }

  /** Calls the answer, now or later or never. */
  answer(answer: () => void): void {
    if (this.#drop > 0 && this.#drop--) return;
    if (this.#delay === 0) answer();
    else void wait(this.#delay).then(answer);
  }

  /** The milliseconds for which the next append is hidden from reads. */
  readLag(): number {
    if (this.#readLag === 'for-ever') return Infinity;
    if (this.#readLag === 'always') return LONGEST_LAG;
    return this.#readLag === 'sometimes' && Math.random() < 1 / LAGS_ONE_IN ? Math.ceil(Math.random() * LONGEST_LAG) : 0;
  }

  onEndOfSubscriptions(end: () => void): () => void {
    this.#endings.add(end);
    return () => void this.#endings.delete(end);
  }
}
