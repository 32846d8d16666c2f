import type { DiskOperation } from './disk-trace.js';

type Change = Extract<DiskOperation, { kind: 'write' | 'truncate' }>;

/** Whether a change of this file reached the disk that no flush had asked for yet. */
export type Lucky = (path: string) => boolean;

/**
 * The file as the disk has it when the power fails after so many operations: everything up to the begin of the last flush of it that had ended, and of what came later the lucky changes.
 * `operations`: of the whole trace.
 */
export const diskAfter = (operations: readonly DiskOperation[], count: number, path: string, lucky: Lucky): Buffer => {
  const past = operations.slice(0, count);
  const flush = past.findLast((operation) => operation.kind === 'sync' && operation.path === path);
  const safe = flush?.kind === 'sync' ? flush.since : 0;
  const changes = past.filter(
    (operation, place): operation is Change =>
      (operation.kind === 'write' || operation.kind === 'truncate') && operation.path === path && (place < safe || lucky(path)),
  );
  const room = Buffer.alloc(Math.max(0, ...changes.map(endOf)));
  let size = 0;
  for (const change of changes) {
    if (change.kind === 'write') {
      change.data.copy(room, change.offset);
      size = Math.max(size, endOf(change));
    } else {
      room.fill(0, change.size);
      ({ size } = change);
    }
  }
  return room.subarray(0, size);
};

const endOf = (change: Change): number => (change.kind === 'write' ? change.offset + change.data.length : change.size);
