import { open, readFile, rename } from 'node:fs/promises';

import { SystemClock } from '#kernel';

/** The system's clock, set forward: for trying out what time does. It stays forward over restarts. */
export class MovableClock extends SystemClock {
  private constructor(
    private readonly path: string,
    /** Milliseconds ahead of the system's clock. */
    private ahead: number,
  ) {
    super();
  }

  /** Throws when the file is there and is not one of ours. */
  static async open(path: string): Promise<MovableClock> {
    const content = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '{"ahead":0}';
      throw error;
    });
    const { ahead } = JSON.parse(content) as { ahead?: unknown };
    if (!Number.isSafeInteger(ahead) || (ahead as number) < 0) throw new Error(`${path} is not the file of a clock`);
    return new MovableClock(path, ahead as number);
  }

  override now(): number {
    return super.now() + this.ahead;
  }

  /** Moves the clock forward by that many milliseconds; on disk before it holds. */
  async advance(milliseconds: number): Promise<void> {
    const ahead = this.ahead + milliseconds;
    if (!Number.isSafeInteger(milliseconds) || milliseconds < 0 || !Number.isSafeInteger(ahead)) throw new RangeError('the clock moves forward, by whole milliseconds');
    this.ahead = ahead;
    await this.#keep(ahead);
  }

  async #keep(ahead: number): Promise<void> {
    const draft = `${this.path}.${process.hrtime.bigint()}`;
    {
      await using file = await open(draft, 'wx', 0o600);
      await file.writeFile(JSON.stringify({ ahead }));
      await file.sync();
    }
    await rename(draft, this.path);
  }
}
