import { BACKWARDS, END } from '@eventstore/db-client';

import type { Pause } from '#kernel';

import type { Place, RecordedEvent } from '../event-store.js';
import { KeptMarks, revisionsBefore } from '../marks/kept-marks.js';
import { MARK_STREAM } from '../marks/streams.js';
import { type Connection, SILENCE } from './connection.js';
import { readStream } from './read-stream.js';
import { recordedEvent } from './recorded-event.js';
import { isStored, isStoredMark } from './subscription.js';

/** For one check of the store. */
export const CHECK_LIMITS = { budget: 5_000, silence: SILENCE } as const;
const PAUSE = 100;
/** A store counts as one that lacks something after so many looks: a node that has just begun to lead may lag for a moment. */
const LOOKS = 3;

/** Whether the store has a place. */
export type Has = (place: Place & { readonly isMark?: true }) => Promise<boolean>;

/** The marks that this process knows, and what the store has of them and of other places. */
export class StoredPlaces {
  readonly marks = new KeptMarks();
  #filling: Promise<void> | undefined;

  constructor(
    private readonly connection: Connection,
    private readonly pause: Pause,
  ) {}

  /** Forgets the marks that the store lacks, and answers whether there were any. Reads marks of the past at the first call. */
  async dropLacking(has: Has): Promise<boolean> {
    await this.#fill();
    return this.marks.dropLacking((mark) => has({ ...mark, isMark: true }));
  }

  /** Looks places up, each once. Once one is found lacking, the store is another one, and the others get one look each. */
  looks(): Has {
    let looks = LOOKS;
    const found = new Map<string, boolean>();
    const has: Has = async (place) => {
      for (let look = 1; ; look++) {
        if (await this.connection.run((client) => (place.isMark ? isStoredMark : isStored)(client, place), CHECK_LIMITS)) return true;
        if (look >= looks) break;
        await this.pause(PAUSE);
      }
      looks = 1;
      return false;
    };
    return async (place) => {
      const known = found.get(place.id) ?? (await has(place));
      found.set(place.id, known);
      return known;
    };
  }

  #fill(): Promise<void> {
    this.#filling ??= this.#readPast().catch((error: unknown) => {
      this.#filling = undefined;
      throw error;
    });
    return this.#filling;
  }

  async #readPast(): Promise<void> {
    const newest = await this.#read(undefined);
    if (!newest) return;
    const past = await Promise.all(revisionsBefore(newest.revision).map((revision) => this.#read(revision)));
    this.marks.seed([...past.filter((mark) => mark !== undefined), newest]);
  }

  async #read(revision: number | undefined): Promise<RecordedEvent | undefined> {
    const fromRevision = revision === undefined ? END : BigInt(revision);
    const { events } = await readStream(this.connection, MARK_STREAM, { direction: BACKWARDS, fromRevision, maxCount: 1 });
    return events.map(recordedEvent)[0];
  }
}
