import { pause } from '../conformance/support/index.js';

const BETWEEN = 50;

/** Asks until there is an answer; fails after so many milliseconds. An error of the last moment is told. */
export const eventually = async <Answer>(what: string, patience: number, ask: () => Promise<Answer | undefined>): Promise<Answer> => {
  let trouble: unknown;
  for (const giveUpAt = performance.now() + patience; performance.now() < giveUpAt; await pause(BETWEEN)) {
    try {
      const answer = await ask();
      if (answer !== undefined) return answer;
      trouble = undefined;
    } catch (error) {
      trouble = error;
    }
  }
  throw new Error(`in ${patience} ms there was no ${what}`, { cause: trouble });
};
