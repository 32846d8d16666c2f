import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { ServiceUnavailable } from '#kernel';

import { BoundedChild, type ChildAnswer, type ChildLimits, type ChildProgram } from './bounded-child.js';
import { BoundedQueue, type QueueLimits } from './bounded-queue.js';
import { type JudgedPng, refused, undecodable } from './png-chunks.js';

/** Bytes of a logo, as it is uploaded and as it is stored. */
export const MOST_BYTES = 32 * 1024;

/** A picture takes a fifth of a second of processor time, and 100 MiB with Node. The time allows for a busy machine. */
const CHILD: ChildLimits = { time: 10_000, processorTime: 60, memory: 192 * 1024 * 1024, output: 1 + MOST_BYTES };
/** One child leaves the other cores to the service. */
const QUEUE: QueueLimits = { running: 1, waiting: 16, patience: 10_000 };
/** Pictures that one child decodes. Starting it copies the page tables of this process, which stops it for 2 ms for each 100 MiB. */
const PICTURES_OF_A_CHILD = 32;
/** Milliseconds that a child waits for another picture. */
const IDLE = 30_000;

/** What the program says became of a picture, in the first byte of its answer. */
const OUTCOMES = ['decoded', 'undecodable', 'too large'];

/** `package.json` names the program: its source, or the file that the compiler writes beside the bundles. */
const decoderProgram = (): ChildProgram => {
  const pathOf = (name: string): string => fileURLToPath(import.meta.resolve(name));
  return { path: pathOf('#domain/relying-party/decode-picture'), reads: foldersOf('pngjs', pathOf), argument: String(MOST_BYTES) };
};

/** The folder of a package; none where the program is bundled with its packages and they are not installed. */
const foldersOf = (name: string, pathOf: (name: string) => string): readonly string[] => {
  try {
    return [join(dirname(pathOf(name)), '..', '/')];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    return [];
  }
};

/** What a test replaces. */
export interface PictureDecoderOptions {
  readonly program?: ChildProgram;
  readonly child?: Partial<ChildLimits>;
  readonly queue?: Partial<Omit<QueueLimits, 'running'>>;
}

/**
 * Decodes pictures of strangers in a child process, one picture at a time, with limits of time, memory and count (docs/adr/0102-pictures-in-a-child-process.md).
 * A process has one decoder; it starts nothing before the first picture, and keeps the child for the next ones.
 */
export class PictureDecoder {
  readonly #limits: ChildLimits;
  readonly #queue: BoundedQueue;
  #program: ChildProgram | undefined;
  #child: BoundedChild | undefined;
  #pictures = 0;
  #idle: NodeJS.Timeout | undefined;
  #stopping: Promise<void> | undefined;
  #closed = false;

  constructor({ program, child, queue }: PictureDecoderOptions = {}) {
    this.#program = program;
    this.#limits = { ...CHILD, ...child };
    this.#queue = new BoundedQueue('pictures to decode', { ...QUEUE, ...queue });
  }

  /**
   * A PNG of the same pixels, of at most {@link MOST_BYTES}. Throws InvalidRequest for a picture that cannot be decoded, takes too much time or memory, or is too large
   * afterwards; ServiceUnavailable when too many pictures wait, when the process stops, and when no child can be started.
   */
  async reencode({ png }: JudgedPng): Promise<Buffer> {
    return this.#queue.run(async () => pictureOf(await this.#askTwice(png)));
  }

  /** Refuses what waits, and resolves when no child runs any more. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#queue.close();
    await this.#stopChild();
  }

  /** A child that has decoded other pictures may have ended for a cause of its own, so a new one is asked too. */
  async #askTwice(png: Buffer): Promise<ChildAnswer> {
    const used = this.#pictures > 0;
    const answer = await this.#ask(png);
    const mayBeInnocent = used && ('code' in answer || ('killed' in answer && (answer.killed === 'signal' || answer.killed === 'memory')));
    return mayBeInnocent ? this.#ask(png) : answer;
  }

  async #ask(png: Buffer): Promise<ChildAnswer> {
    clearTimeout(this.#idle);
    // The last one may have ended while it waited.
    if (this.#child?.ended) await this.#stopChild();
    await this.#stopping;
    if (this.#closed) return { killed: 'stopped' };
    try {
      this.#child ??= new BoundedChild((this.#program ??= decoderProgram()), this.#limits);
      this.#pictures += 1;
      return await this.#child.ask(png);
    } catch (error) {
      this.#child = undefined;
      throw new ServiceUnavailable(`the decoder of pictures did not start: ${error instanceof Error ? error.message : 'unknown error'}`);
    } finally {
      if (this.#child?.ended || this.#pictures >= PICTURES_OF_A_CHILD) await this.#stopChild();
      else if (this.#child) this.#idle = setTimeout(() => void this.#stopChild(), IDLE).unref();
    }
  }

  async #stopChild(): Promise<void> {
    clearTimeout(this.#idle);
    this.#pictures = 0;
    this.#stopping = this.#child?.stop() ?? this.#stopping;
    this.#child = undefined;
    await this.#stopping;
  }
}

const pictureOf = (answer: ChildAnswer): Buffer => {
  if ('code' in answer) throw new ServiceUnavailable(`the decoder of pictures ended with ${answer.code}`);
  if ('killed' in answer) {
    if (answer.killed === 'stopped') throw new ServiceUnavailable('pictures to decode: the process stops');
    throw refused('takes too much time or memory to decode', `the decoder was killed: ${answer.killed}`);
  }
  switch (OUTCOMES[answer.output[0] ?? -1]) {
    case 'decoded':
      return answer.output.subarray(1);
    case 'too large':
      throw refused('must have at most 32 KiB once it is encoded anew; use fewer colours or pixels');
    default:
      throw undecodable();
  }
};
