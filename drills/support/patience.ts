import { type Answer, pause } from '../../conformance/support/index.js';

/** Milliseconds between two tries, and until whoever asks gives up. */
const PAUSE = 100;
const PATIENCE = 60_000;

/** Asks until there is an answer. What came in its place is told each time: `503, Retry-After: 2`, `502`, or how the connection broke. */
export const answered = async (ask: () => Promise<Answer>, onSilence: (silence: string) => void = () => {}): Promise<Answer> => {
  for (const giveUpAt = performance.now() + PATIENCE; ; await pause(PAUSE)) {
    const silence = await ask().then((answer) => {
      if (answer.status !== 503) return answer;
      return `503, Retry-After: ${answer.headers['retry-after']}`;
    }, describe);
    if (typeof silence !== 'string') return silence;
    onSilence(silence);
    if (performance.now() > giveUpAt) throw new Error(`no answer for ${PATIENCE} ms, at last ${silence}`);
  }
};

/** The gateway's own 502 and 504 break the universal rules too, which raises an error. */
const describe = (error: unknown): string => /→ (50[24]) /.exec(String(error))?.[1] ?? String(error);

/** Looks until it is so; throws, naming what was awaited, when it is not in time. */
export const eventually = async (what: string, milliseconds: number, isSo: () => boolean | Promise<boolean>): Promise<void> => {
  for (const giveUpAt = performance.now() + milliseconds; !(await isSo()); await pause(PAUSE)) {
    if (performance.now() > giveUpAt) throw new Error(`${what}: not within ${milliseconds} ms`);
  }
};
