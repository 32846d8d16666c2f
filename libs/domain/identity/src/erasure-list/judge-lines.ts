import { setImmediate } from 'node:timers/promises';

import type { IdentityId, MacRefusal } from '#kernel';

import type { ErasureLine, PlacedLine } from './erasure-lines.js';
import type { ListFault } from './erasure-list.js';

/** Lines that are judged before other work gets its turn: each costs some microseconds. */
const TURN = 1_000;

export interface JudgedLines {
  /** The newest genuine line of each person. */
  readonly genuine: ReadonlyMap<IdentityId, ErasureLine>;
  /** The last genuine line. */
  readonly last: ErasureLine | undefined;
  readonly faults: readonly ListFault[];
}

/**
 * Which lines the service has written, and where lines are missing, moved or repeated. Two writers may name the same line before theirs. A genuine line counts wherever it stands: otherwise
 * whoever moves a line would bring its person back.
 */
export const judgeLines = async (lines: readonly PlacedLine[], refusalOf: (line: ErasureLine) => MacRefusal | undefined): Promise<JudgedLines> => {
  const genuine = new Map<IdentityId, ErasureLine>();
  const faults: ListFault[] = [];
  const named = new Set(lines.map(({ mac }) => mac));
  const seen = new Set<string>();
  let last: ErasureLine | undefined;
  for (const [index, line] of lines.entries()) {
    if (index % TURN === TURN - 1) await setImmediate();
    const reason = refusalOf(line) ?? faultOfPlace(line, seen, named);
    if (reason) faults.push({ reason, identityId: line.identityId, erasedAt: line.erasedAt, place: line.place });
    if (line.mac !== undefined) seen.add(line.mac);
    if (reason === 'unsigned' || reason === 'key' || reason === 'forged') continue;
    genuine.set(line.identityId, line);
    last = line;
  }
  return { genuine, last, faults };
};

const faultOfPlace = (
  { mac = '', after }: ErasureLine,
  seen: ReadonlySet<string>,
  named: ReadonlySet<string | undefined>,
): ListFault['reason'] | undefined => {
  if (seen.has(mac)) return 'repeated';
  if (after === undefined || seen.has(after)) return undefined;
  return named.has(after) ? 'moved' : 'missing';
};
