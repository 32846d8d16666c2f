import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Reads that callers share by key. Who asks while a read is under way, or in the same turn of the event loop as others, gets the answer of the next read. That begins
 * after the question, so no answer is older than its question.
 */
export class SharedReads<Key, Answer> {
  /** Reads that have not begun. */
  readonly #next = new Map<Key, Promise<Answer>>();
  readonly #underWay = new Map<Key, Promise<unknown>>();

  constructor(private readonly read: (key: Key) => Promise<Answer>) {}

  /** Rejects for all callers that share a read when it fails. */
  ask(key: Key): Promise<Answer> {
    const next = this.#next.get(key) ?? this.#readNext(key);
    this.#next.set(key, next);
    return next;
  }

  async #readNext(key: Key): Promise<Answer> {
    await (this.#underWay.get(key) ?? nextTurn());
    this.#next.delete(key);
    const answer = this.read(key);
    const settled = answer.then(
      () => undefined,
      () => undefined,
    );
    this.#underWay.set(key, settled);
    void settled.then(() => this.#underWay.get(key) === settled && this.#underWay.delete(key));
    return answer;
  }
}
