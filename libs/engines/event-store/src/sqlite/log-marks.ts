import type { Place, Position, RecordedEvent } from '../event-store.js';
import { KeptMarks, revisionsBefore } from '../marks/kept-marks.js';

/** The marks of a file. Looks for new ones at each question, and reads those of the past again when there is one. */
export class LogMarks {
  #newest: RecordedEvent | undefined;
  #marks = new KeptMarks();

  constructor(
    /** The mark of the revision, or the newest one. */
    private readonly read: (revision?: number) => RecordedEvent | undefined,
  ) {}

  /** Throws the errors of the read. */
  upTo(position: Position): readonly Place[] {
    const newest = this.read();
    if (newest && newest.revision !== this.#newest?.revision) {
      const past = revisionsBefore(newest.revision).map((revision) => this.read(revision));
      this.#marks = new KeptMarks();
      this.#marks.seed([...past.filter((mark) => mark !== undefined), newest]);
      this.#newest = newest;
    }
    return this.#marks.upTo(position);
  }
}
