import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

/** Where requests wait while what answers them is exchanged. It is open at first. */
export class RequestGate {
  readonly #underWay = new Set<ServerResponse>();
  /** Undefined while the gate is open. */
  #opened: Promise<void> | undefined;

  /** Calls `begin` as soon as the gate is open. */
  enter(response: ServerResponse, begin: () => void): void {
    if (this.#opened) {
      void this.#opened.then(() => this.enter(response, begin));
      return;
    }
    // The caller has gone meanwhile.
    if (response.closed) return;
    this.#underWay.add(response);
    response.once('close', () => this.leave(response));
    begin();
  }

  /** {@link quiet} does not wait for this request any more: it is the one that asked for the exchange. */
  leave(response: ServerResponse): void {
    this.#underWay.delete(response);
  }

  /** From now on requests wait. Answers the function that opens the gate. */
  shut(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#opened = promise;
    return () => {
      this.#opened = undefined;
      resolve();
    };
  }

  /** Resolves when the requests that had entered are answered. Those that are not after so many milliseconds lose their connection. */
  async quiet(milliseconds: number): Promise<void> {
    const late = setTimeout(() => [...this.#underWay].forEach((response) => response.destroy()), milliseconds);
    for (const response of [...this.#underWay]) if (this.#underWay.has(response)) await once(response, 'close');
    clearTimeout(late);
  }
}
