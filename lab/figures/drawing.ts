import { isSpecWithTestKit, type RoomOf } from './layout.ts';
import type { SourceTree } from './source-tree.ts';

/** One room imports another one. */
export interface Arrow {
  readonly from: string;
  readonly to: string;
  /** How many times a file of the one imports a file of the other. */
  readonly imports: number;
}

export interface Drawing {
  /** From the ground up, the names of the rooms on each floor. */
  readonly floors: readonly (readonly string[])[];
  readonly arrows: readonly Arrow[];
  readonly upwards: readonly Arrow[];
}

/** Orders that the search begins with. More of them found nothing better. */
const BEGINNINGS = 100;

/**
 * The folders of a repository, drawn by their imports. A room is a folder with code; an arrow leads from a room to another one of which any of its files imports
 * any file, tests and types included, but for the test kit in a library's spec. So two rooms have one arrow in each direction at most. The rooms are stacked so
 * that as few arrows as possible lead upwards; of such stacks, the one with the fewest imports upwards, then the one with the fewest floors. The other arrows
 * lead down: a room without any stands on the ground, each other one a floor above the highest room that it needs. The best stack is searched for from fixed
 * beginnings, so it is the same each time.
 */
export const draw = (tree: SourceTree, roomOf: RoomOf): Drawing => {
  const rooms = [...new Set(tree.paths.flatMap((path) => roomOf(path) ?? []))].toSorted();
  const arrows = arrowsOf(tree, roomOf);
  return bestOf(beginnings(rooms).map((order) => stack(settle(order, arrows), arrows)));
};

const arrowsOf = (tree: SourceTree, roomOf: RoomOf): readonly Arrow[] => {
  const arrows = new Map<string, Arrow>();
  for (const path of tree.paths) {
    const from = roomOf(path);
    for (const imported of from === undefined ? [] : tree.imports(path)) {
      const to = roomOf(imported);
      if (from === undefined || to === undefined || to === from || isSpecWithTestKit(path, imported)) continue;
      const key = `${from} ${to}`;
      arrows.set(key, { from, to, imports: (arrows.get(key)?.imports ?? 0) + 1 });
    }
  }
  return [...arrows.values()];
};

/** Shuffled by a generator with a fixed seed (Park and Miller). */
const beginnings = (rooms: readonly string[]): readonly (readonly string[])[] => {
  let seed = 1;
  const next = (): number => (seed = (seed * 48_271) % 2_147_483_647);
  return Array.from({ length: BEGINNINGS }, () =>
    rooms
      .map((room) => ({ room, place: next() }))
      .toSorted((one, other) => one.place - other.place)
      .map(({ room }) => room),
  );
};

/** One arrow upwards weighs more than all imports. */
const MUCH = 1_000_000;

/** Moves single rooms, from the top to the ground, until no move lets fewer arrows lead upwards. */
const settle = (order: readonly string[], arrows: readonly Arrow[]): readonly string[] => {
  const weights = new Map(arrows.map(({ from, to, imports }) => [`${from} ${to}`, MUCH + imports]));
  const weight = (from: string, to: string): number => weights.get(`${from} ${to}`) ?? 0;
  let settled = order;
  for (let moved = true; moved;) {
    moved = false;
    for (const room of order) {
      const at = settled.indexOf(room);
      const others = settled.filter((other) => other !== room);
      // what leads upwards to or from the room at each place
      const costs = [others.reduce((sum, other) => sum + weight(other, room), 0)];
      for (const other of others) costs.push(costs.at(-1)! - weight(other, room) + weight(room, other));
      const best = costs.indexOf(Math.min(...costs));
      if (costs[best]! >= costs[at]!) continue;
      settled = others.toSpliced(best, 0, room);
      moved = true;
    }
  }
  return settled;
};

const stack = (order: readonly string[], arrows: readonly Arrow[]): Drawing => {
  const place = new Map(order.map((room, at) => [room, at]));
  const leadsUp = ({ from, to }: Arrow): boolean => place.get(from)! > place.get(to)!;
  const down = arrows.filter((arrow) => !leadsUp(arrow));
  const floorOf = new Map<string, number>();
  for (const room of order.toReversed())
    floorOf.set(room, Math.max(0, ...down.filter(({ from }) => from === room).map(({ to }) => floorOf.get(to)! + 1)));
  const floors = Array.from({ length: Math.max(-1, ...floorOf.values()) + 1 }, (_, floor) =>
    order.filter((room) => floorOf.get(room) === floor).toSorted(),
  );
  return { floors, arrows, upwards: arrows.filter(leadsUp) };
};

const bestOf = (drawings: readonly Drawing[]): Drawing => {
  const rank = ({ upwards, floors }: Drawing): number => upwards.reduce((sum, { imports }) => sum + MUCH + imports, 0) + floors.length / MUCH;
  return drawings.reduce((best, drawing) => (rank(drawing) < rank(best) ? drawing : best));
};
