import { setTimeout as wait } from 'node:timers/promises';

/** What the test server does wrong on purpose. To freeze it altogether, send its process SIGSTOP. */
export interface FaultSettings {
  /** Milliseconds between the storing of an append and its answer. */
  readonly delayAnswers?: number;
  /** So many of the next appends are stored and never answered. */
  readonly dropAnswers?: number;
  /** So many of the next appends are neither stored nor answered. */
  readonly loseAppends?: number;
  /** So many of the next appends are answered with the error of a server that is starting or overloaded. */
  readonly refuseAppends?: number;
  /** Ends all subscriptions as if that were a good end. */
  readonly endSubscriptions?: true;
}

export class Faults {
  #delay = 0;
  #drop = 0;
  #lose = 0;
  #refuse = 0;
  readonly #endings = new Set<() => void>();

  set({ delayAnswers, dropAnswers, loseAppends, refuseAppends, endSubscriptions }: FaultSettings): void {
    this.#delay = delayAnswers ?? this.#delay;
    this.#drop = dropAnswers ?? this.#drop;
    this.#lose = loseAppends ?? this.#lose;
    this.#refuse = refuseAppends ?? this.#refuse;
    if (endSubscriptions) for (const end of [...this.#endings]) end();
  }

  /** What becomes of an append that has arrived. */
  fate(): 'kept' | 'lost' | 'refused' {
    if (this.#lose > 0 && this.#lose--) return 'lost';
    if (this.#refuse > 0 && this.#refuse--) return 'refused';
    return 'kept';
  }

  /** Calls the answer, now or later or never. */
  answer(answer: () => void): void {
    if (this.#drop > 0 && this.#drop--) return;
    if (this.#delay === 0) answer();
    else void wait(this.#delay).then(answer);
  }

  onEndOfSubscriptions(end: () => void): () => void {
    this.#endings.add(end);
    return () => void this.#endings.delete(end);
  }
}
