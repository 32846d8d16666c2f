import { type Answer, pause } from '../../support/index.js';

/** Milliseconds between two tries, and in all. */
const PAUSE = 100;
const TIME_LIMIT = 60_000;

/** Repeats a request until it is answered. `onFailure` gets each failed try: `503, Retry-After: 2`, `502`, or how the connection broke. */
export const untilAnswered = async (ask: () => Promise<Answer>, onFailure: (failure: string) => void = () => {}): Promise<Answer> => {
  for (const giveUpAt = performance.now() + TIME_LIMIT; ; await pause(PAUSE)) {
    const failure = await ask().then((answer) => {
      if (answer.status !== 503) return answer;
      return `503, Retry-After: ${answer.headers['retry-after']}`;
    }, describe);
    if (typeof failure !== 'string') return failure;
    onFailure(failure);
    if (performance.now() > giveUpAt) throw new Error(`no answer for ${TIME_LIMIT} ms; the last try: ${failure}`);
  }
};

/** The gateway's own 502 and 504 break the universal rules too, which raises an error. */
const describe = (error: unknown): string => /→ (50[24]) /.exec(String(error))?.[1] ?? String(error);
