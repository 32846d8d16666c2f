import { DomainError } from '#kernel';

/** The place does not answer, or not rightly. */
export class PlaceUnavailable extends DomainError {
  readonly code = 'service_unavailable';
}

/** Where the checkpoints and their leaves lie: outside of the store, in the hands of another party than the store's. */
export abstract class AnchorPlace {
  /** For the log: the setting that names it. */
  abstract readonly name: string;

  /** The bytes under this path; undefined where there are none. Throws {@link PlaceUnavailable}. */
  abstract read(path: string): Promise<Buffer | undefined>;

  /** Keeps the bytes under this path, in place of those that it has. A reader finds all of them or none. Throws {@link PlaceUnavailable}. */
  abstract write(path: string, bytes: Buffer): Promise<void>;

  /** Forgets what lies under this path, if the place lets it be forgotten. Never throws. */
  abstract remove(path: string): Promise<void>;
}
