import type { AnchorPlace } from './anchor-place.js';
import { type LogCheckpoint, parseCheckpoint } from './checkpoint.js';
import { NoteRefused, type NoteVerifier, openNote } from './signed-note.js';

/** A file with the size of the newest checkpoint that has a time-stamp. */
const NEWEST = 'timestamps/newest';

/** A checkpoint as it was signed, and a token of RFC 3161 over the bytes of the note. */
export interface StampedCheckpoint extends LogCheckpoint {
  readonly note: Buffer;
  readonly token: Buffer;
}

/** The checkpoints with time-stamps that lie at one place: `timestamps/<size>.note` and `timestamps/<size>.tst`, which are kept for ever. */
export class StampedCheckpoints {
  constructor(
    readonly place: AnchorPlace,
    private readonly origin: string,
    private readonly verifiers: () => readonly NoteVerifier[],
  ) {}

  /** How many leaves the newest one has. Undefined where there is none. Throws PlaceUnavailable and {@link NoteRefused}. */
  async newestSize(): Promise<number | undefined> {
    const bytes = await this.place.read(NEWEST);
    if (!bytes) return undefined;
    const text = bytes.toString();
    if (!/^(0|[1-9]\d{0,14})\n$/.test(text)) throw new NoteRefused(`${NEWEST} has no number of leaves`);
    return Number(text);
  }

  /** The one of this size. The caller verifies the token. Throws PlaceUnavailable, and {@link NoteRefused} where it is not whole or not ours. */
  async read(size: number): Promise<StampedCheckpoint> {
    const [note, token] = [await this.place.read(`${pathOf(size)}.note`), await this.place.read(`${pathOf(size)}.tst`)];
    if (!note || !token) throw new NoteRefused(`the time-stamped checkpoint of ${size} leaves is missing`);
    const checkpoint = parseCheckpoint(openNote(note.toString(), this.verifiers()), this.origin);
    if (checkpoint.size !== size) throw new NoteRefused(`the time-stamped checkpoint of ${size} leaves has ${checkpoint.size}`);
    return { ...checkpoint, note, token };
  }

  /** Whoever finds the size finds the other two. Throws PlaceUnavailable. */
  async keep({ size, note, token }: Pick<StampedCheckpoint, 'size' | 'note' | 'token'>): Promise<void> {
    await this.place.write(`${pathOf(size)}.note`, note);
    await this.place.write(`${pathOf(size)}.tst`, token);
    await this.place.write(NEWEST, Buffer.from(`${size}\n`));
  }
}

const pathOf = (size: number): string => `timestamps/${size}`;
