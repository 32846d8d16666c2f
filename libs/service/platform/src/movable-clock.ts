import { open, readFile, rename } from 'node:fs/promises';

import { InvalidSettings } from '#service/config';
import { SystemClock } from '#kernel';

/** The system's clock, set forward, for the sandbox. The offset in a file survives restarts. */
export class MovableClock extends SystemClock {
  private constructor(
    /** Undefined: the offset is not kept. */
    private readonly path: string | undefined,
    /** Milliseconds ahead of the system's clock. */
    private ahead: number,
  ) {
    super();
  }

  /** A clock whose offset ends with the process. */
  static inMemory(): MovableClock {
    return new MovableClock(undefined, 0);
  }

  /** Throws {@link InvalidSettings} when the file exists and is not the file of a clock. */
  static async open(path: string): Promise<MovableClock> {
    const content = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '{"ahead":0}';
      throw error;
    });
    const ahead = aheadIn(content);
    if (ahead === undefined) throw notAClock(path);
    return new MovableClock(path, ahead);
  }

  override now(): number {
    return super.now() + this.ahead;
  }

  override get leaps(): boolean {
    return true;
  }

  /** Moves the clock forward by that many milliseconds; resolves when the offset is kept. */
  async advance(milliseconds: number): Promise<void> {
    const ahead = this.ahead + milliseconds;
    if (!Number.isSafeInteger(milliseconds) || milliseconds < 0 || !Number.isSafeInteger(ahead))
      throw new RangeError('the clock moves forward, by whole milliseconds');
    this.ahead = ahead;
    if (this.path !== undefined) await keep(this.path, ahead);
  }
}

const keep = async (path: string, ahead: number): Promise<void> => {
  const draft = `${path}.${process.hrtime.bigint()}`;
  {
    await using file = await open(draft, 'wx', 0o600);
    await file.writeFile(JSON.stringify({ ahead }));
    await file.sync();
  }
  await rename(draft, path);
};

const notAClock = (path: string): InvalidSettings =>
  new InvalidSettings([
    `DATA_DIR holds ${path}, which is not the file of a clock. Remove it to start at the system's time, or set SANDBOX to false.`,
  ]);

/** Undefined when the text is not the content of a clock's file. */
const aheadIn = (content: string): number | undefined => {
  try {
    const { ahead } = JSON.parse(content) as { ahead?: unknown };
    return Number.isSafeInteger(ahead) && (ahead as number) >= 0 ? (ahead as number) : undefined;
  } catch {
    return undefined;
  }
};
