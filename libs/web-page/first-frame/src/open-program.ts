import { retry } from '#kernel/browser';
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

/** Fetches the program of a page, its texts at the same time, and opens it. Asks again until it runs. */
export const openProgram = <Program>({ files, open, noAnswer, cannotRun }: Opening<Program>): Promise<void> => {
  const [file, texts] = files;
  const preload = document.createElement('link');
  preload.rel = 'modulepreload';
  preload.href = texts;
  document.head.append(preload);
  let hadArrived = false;
  const attempt = async (tries: number): Promise<void> => {
    try {
      // A module that did not arrive is asked for at another address: browsers remember the failure of the first.
      await open((await import(tries === 1 ? file : `${file}?again=${tries - 1}`)) as Program);
    } catch (error) {
      // The error does not tell whether a module is missing or fails.
      const arrive = (await Promise.all(files.map(arrives))).every((arrived) => arrived);
      if (arrive && hadArrived) cannotRun();
      else noAnswer();
      hadArrived = arrive;
      throw error;
    }
  };
  return retry(attempt, { waits: (failures) => retryDelayMs(failures), pause: pauseUntilOnline });
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
