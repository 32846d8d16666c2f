import { mkdir, open, readFile, rename, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { AnchorPlace, PlaceUnavailable } from './anchor-place.js';

/** A folder, on another disk or another machine than the store. */
export class FolderPlace extends AnchorPlace {
  constructor(
    readonly name: string,
    private readonly directory: string,
  ) {
    super();
  }

  override read(path: string): Promise<Buffer | undefined> {
    return this.#tried(() =>
      readFile(join(this.directory, path)).catch(async (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
        // Without the folder nothing is known of the file: a disk may not be mounted.
        await using _folder = await open(this.directory, 'r');
        return undefined;
      }),
    );
  }

  override write(path: string, bytes: Buffer): Promise<void> {
    return this.#tried(async () => {
      const target = join(this.directory, path);
      const draft = `${target}.${process.pid}.new`;
      await this.#make(dirname(target));
      {
        await using file = await open(draft, 'w', 0o640);
        await file.writeFile(bytes);
        await file.sync();
      }
      await rename(draft, target);
      await using folder = await open(dirname(target), 'r');
      await folder.sync();
    });
  }

  override async remove(path: string): Promise<void> {
    await unlink(join(this.directory, path)).catch(() => undefined);
  }

  /** The folder itself is the operator's to make: a process would fill the mount point of a disk that is not there. */
  async #make(directory: string): Promise<void> {
    if (directory === join(this.directory, '.')) return;
    await using _folder = await open(this.directory, 'r');
    await mkdir(directory, { recursive: true, mode: 0o750 });
  }

  async #tried<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw new PlaceUnavailable(`${this.name}: ${String((error as NodeJS.ErrnoException).code)}`);
    }
  }
}
