import type { Behave } from './webhook-receiver.js';

/** How long an answer takes, in milliseconds: long enough that a second message would be seen. */
const MOMENT = 40;

/** Accepts every message after a moment, and records when two messages about one session are open at once. */
export class OverlapDetector {
  readonly overlaps: string[] = [];
  readonly #open = new Set<string>();

  readonly behave: Behave = ({ response, sessionId }) => {
    if (this.#open.has(sessionId)) this.overlaps.push(sessionId);
    this.#open.add(sessionId);
    // Ends before the answer is sent: the next message may arrive before this process sees that the answer has ended.
    const end = (): boolean => this.#open.delete(sessionId);
    const timer = setTimeout(() => end() && response.writeHead(204).end(), MOMENT);
    response.once('close', () => {
      clearTimeout(timer);
      if (!response.writableEnded) end();
    });
    return true;
  };
}
