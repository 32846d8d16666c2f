import type { EventId } from '#kernel';

import type { KeptPlace } from '../event-store.js';

/** A place with its marks, as the data of an event. */
export type StoredPlace = {
  readonly position: string;
  readonly id: string;
  readonly marks: readonly (readonly [position: string, id: string])[];
};

export const storedPlace = ({ position, id, marks = [] }: KeptPlace): StoredPlace => ({
  position: String(position),
  id,
  marks: marks.map((mark) => [String(mark.position), mark.id] as const),
});

export const keptPlace = ({ position, id, marks }: StoredPlace): KeptPlace => ({
  position: BigInt(position),
  id: id as EventId,
  marks: marks.map(([at, markId]) => ({ position: BigInt(at), id: markId as EventId })),
});
