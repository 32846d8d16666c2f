import { pauseUntilOnline, retryDelayMs } from '../../browser/src/retry.js';

interface Opening<Program> {
  /** The addresses of the program and of the texts that it loads. */
  readonly files: readonly [program: string, texts: string];
  /** Starts the program. A rejection counts as a file that did not arrive. */
  readonly open: (program: Program) => Promise<void>;
  /** A file did not arrive; it is asked for again after a pause. */
  readonly noAnswer: () => void;
  /** The files arrive, and the browser fails to run them: it lacks something that they use. It tries again after a pause. */
  readonly cannotRun: () => void;
}

interface Tries {
  readonly failed: number;
  /** All files had arrived before this try. */
  readonly hasFiles: boolean;
}

/** Fetches the program of a page and opens it. Asks again until it runs. */
export const openProgram = async <Program>(
  opening: Opening<Program>,
  { failed, hasFiles }: Tries = { failed: 0, hasFiles: false },
): Promise<void> => {
  const { files, open, noAnswer, cannotRun } = opening;
  const [file] = files;
  try {
    // A module that did not arrive is asked for at another address: browsers remember the failure of the first.
    await open((await import(failed === 0 ? file : `${file}?again=${failed}`)) as Program);
  } catch {
    // The error does not tell whether a module is missing or fails.
    const arrive = (await Promise.all(files.map(arrives))).every((arrived) => arrived);
    if (arrive && hasFiles) cannotRun();
    else noAnswer();
    await pauseUntilOnline(retryDelayMs(failed + 1));
    await openProgram(opening, { failed: failed + 1, hasFiles: arrive });
  }
};

const arrives = async (file: string): Promise<boolean> => {
  try {
    const response = await fetch(file);
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
};
