import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

import { UnderWay } from '#kernel';

/** Where requests wait while what answers them is exchanged. It is open at first. */
export class RequestGate {
  readonly #underWay = new UnderWay<ServerResponse>();
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
    response.once('close', this.#underWay.add(response));
    begin();
  }

  /** {@link quiet} does not wait for this request any more: it is the one that asked for the exchange. */
  leave(response: ServerResponse): void {
    this.#underWay.remove(response);
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
    const late = setTimeout(() => this.#underWay.all().forEach((response) => response.destroy()), milliseconds);
    await Promise.all(this.#underWay.all().map((response) => once(response, 'close')));
    clearTimeout(late);
  }
}
