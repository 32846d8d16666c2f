import { open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';

import { type IdentityId, KeyedQueue, ServiceUnavailable } from '#kernel';

import { ErasureList } from '../erasure-list.js';

/** The list as a file of JSON lines, for one process. A line that a crash has cut off is left out. */
export class FileErasureList extends ErasureList {
  readonly #queue = new KeyedQueue();

  constructor(private readonly path: string) {
    super();
  }

  override add(identityId: IdentityId, erasedAt: number): Promise<void> {
    // The line break before it ends a line that was cut off.
    return this.#queue.run(this.path, () => orUnavailable(append(this.path, `\n${JSON.stringify({ identityId, erasedAt })}\n`)));
  }

  override all(): Promise<ReadonlyMap<IdentityId, number>> {
    return this.#queue.run(this.path, async () => entriesOf(await orUnavailable(contentOf(this.path))));
  }

  override async close(): Promise<void> {
    await this.#queue.run(this.path, async () => undefined);
  }
}

const append = async (path: string, text: string): Promise<void> => {
  await using file = await open(path, 'a', 0o600);
  const { size } = await file.stat();
  await file.write(text);
  await file.sync();
  if (size > 0) return;
  // The name of a new file, too, must survive a loss of power.
  await using directory = await open(dirname(path), 'r');
  await directory.sync();
};

const contentOf = (path: string): Promise<string> =>
  readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });

const entriesOf = (content: string): ReadonlyMap<IdentityId, number> => new Map(content.split('\n').flatMap((line) => entryOf(line)));

const entryOf = (line: string): readonly (readonly [IdentityId, number])[] => {
  try {
    const { identityId, erasedAt } = JSON.parse(line) as { identityId?: unknown; erasedAt?: unknown };
    return typeof identityId === 'string' && typeof erasedAt === 'number' ? [[identityId as IdentityId, erasedAt]] : [];
  } catch {
    return [];
  }
};

const orUnavailable = <Answer>(answer: Promise<Answer>): Promise<Answer> =>
  answer.catch((error: unknown) => {
    throw new ServiceUnavailable(`the list of erasures: ${error instanceof Error ? error.message : 'unknown error'}`);
  });
