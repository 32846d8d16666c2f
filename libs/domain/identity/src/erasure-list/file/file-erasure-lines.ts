import { open, readFile, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

import { parsedJson, ServiceUnavailable } from '#kernel';

import { type ErasureLine, ErasureLines, lineIn, type PlacedLine } from '../erasure-lines.js';

/** The lines in a file of JSON lines, for one process that appends. A line that a crash has cut off is left out. */
export class FileErasureLines extends ErasureLines {
  override readonly inOrder = true;
  /** What the file held when it was last read. */
  #read: { readonly state: string; readonly lines: readonly PlacedLine[] } = { state: '', lines: [] };

  constructor(private readonly path: string) {
    super();
  }

  override append(line: ErasureLine): Promise<void> {
    // The line break before it ends a line that was cut off.
    return orUnavailable(append(this.path, `\n${textOf(line)}`));
  }

  /** Puts these lines in place of all that the file has, for a process that is alone with it. There are all of them or the former ones, also after a kill. Throws ServiceUnavailable. */
  replace(lines: readonly ErasureLine[]): Promise<void> {
    return orUnavailable(replace(this.path, lines.map(textOf).join('')));
  }

  override all(): Promise<readonly PlacedLine[]> {
    return orUnavailable(this.#all());
  }

  override async close(): Promise<void> {}

  async #all(): Promise<readonly PlacedLine[]> {
    // Taken before the content: a change in between is read the next time.
    const state = await stateOf(this.path);
    if (state !== this.#read.state) this.#read = { state, lines: linesIn(await contentOf(this.path)) };
    return this.#read.lines;
  }
}

const textOf = ({ identityId, erasedAt, after, mac }: ErasureLine): string => `${JSON.stringify({ identityId, erasedAt, after, mac })}\n`;

const replace = async (path: string, text: string): Promise<void> => {
  const draft = `${path}.new`;
  {
    await using file = await open(draft, 'w', 0o600);
    await file.writeFile(text);
    await file.sync();
  }
  await rename(draft, path);
  await syncFolderOf(path);
};

const append = async (path: string, text: string): Promise<void> => {
  await using file = await open(path, 'a', 0o600);
  const { size } = await file.stat();
  await file.write(text);
  await file.sync();
  if (size > 0) return;
  await syncFolderOf(path);
};

/** The name of a new file, too, must survive a loss of power. */
const syncFolderOf = async (path: string): Promise<void> => {
  await using directory = await open(dirname(path), 'r');
  await directory.sync();
};

/** Another text whenever the file has changed, or is another one. */
const stateOf = async (path: string): Promise<string> => {
  const { ino, size, ctimeNs } = (await orAbsent(stat(path, { bigint: true }))) ?? NO_FILE;
  return `${ino} ${size} ${ctimeNs}`;
};

const NO_FILE = { ino: 0, size: 0, ctimeNs: 0 };

const contentOf = async (path: string): Promise<string> => (await orAbsent(readFile(path, 'utf8'))) ?? '';

const orAbsent = <Answer>(answer: Promise<Answer>): Promise<Answer | undefined> =>
  answer.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });

const linesIn = (content: string): readonly PlacedLine[] =>
  content.split('\n').flatMap((text, index) => {
    const line = lineIn(parsedJson(text));
    return line ? [{ ...line, place: `line ${index + 1}` }] : [];
  });

const orUnavailable = <Answer>(answer: Promise<Answer>): Promise<Answer> =>
  answer.catch((error: unknown) => {
    throw new ServiceUnavailable(`the list of erasures: ${error instanceof Error ? error.message : 'unknown error'}`);
  });
