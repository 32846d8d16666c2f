import { readFileSync } from 'node:fs';

/** A file that a setting names cannot be read. The message names the setting and the cause, never the content. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';

  constructor(setting: string, reason: string) {
    super(`${setting} names a file that this user cannot read (${reason})`);
  }
}

/**
 * A file with a secret or certificates, as Kubernetes mounts it. Each new connection reads it, so a connection that begins after a change uses the new
 * content; open connections keep the old one. When a file that was read before cannot be read now, the last content is used: a driver may ask at a
 * point where no code catches an error.
 */
export class MountedFile {
  #last: string | undefined;

  constructor(
    /** The name of the setting that holds the path. */
    private readonly setting: string,
    private readonly path: string,
  ) {}

  /** The content without the line break at its end. Throws {@link UnreadableFile} when it was never read, also for an empty file. */
  read(): string {
    try {
      this.#last = this.#now();
    } catch (error) {
      if (this.#last === undefined) throw error;
    }
    return this.#last;
  }

  #now(): string {
    const text = this.#content().replace(/\r?\n$/, '');
    if (text === '') throw new UnreadableFile(this.setting, 'it is empty');
    return text;
  }

  #content(): string {
    try {
      return readFileSync(this.path, 'utf8');
    } catch (error) {
      throw new UnreadableFile(this.setting, String((error as NodeJS.ErrnoException).code));
    }
  }
}
