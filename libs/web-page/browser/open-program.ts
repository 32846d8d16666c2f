import { pauseUntilOnline, retryDelayMs } from './retry.js';

interface Opening<Program> {
  /** Starts the program. A rejection counts as a file that did not arrive. */
  readonly open: (program: Program) => Promise<void>;
  /** The file did not arrive; it is asked for again after a pause. */
  readonly noAnswer: () => void;
}

/** Fetches the program of a page and opens it. Asks again until it arrives. */
export const openProgram = async <Program>(file: string, opening: Opening<Program>, attempt = 0): Promise<void> => {
  try {
    // A module that did not arrive is asked for at another address: browsers remember the failure of the first.
    await opening.open((await import(attempt === 0 ? file : `${file}?again=${attempt}`)) as Program);
  } catch {
    opening.noAnswer();
    await pauseUntilOnline(retryDelayMs(attempt + 1));
    await openProgram(file, opening, attempt + 1);
  }
};
