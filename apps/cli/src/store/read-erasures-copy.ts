import { type ErasureMacs, FileErasureLines, judgeLines, type ListFault } from '#domain/identity';
import type { IdentityId, MacRefusal } from '#kernel';

import { Refusal } from '../failures.js';

const REFUSALS: Readonly<Record<MacRefusal, string>> = {
  unsigned: 'has no MAC, as an earlier release writes it',
  key: 'has a MAC under a key that event.json lacks',
  forged: 'has a wrong MAC',
};

/** Refused lines that a message names. */
const NAMED = 5;

/** The persons in a file of the list of erasures, with the times of their erasures. Throws a Refusal that names the lines that the service has not written; `acceptUnsigned` takes those without a MAC. */
export const readErasuresCopy = async (path: string, macs: ErasureMacs, acceptUnsigned: boolean): Promise<ReadonlyMap<IdentityId, number>> => {
  const lines = await new FileErasureLines(path).all();
  const { genuine, faults } = await judgeLines(lines, (line) => macs.refusal(line));
  const refused = faults.flatMap(({ reason, place, identityId, erasedAt }) =>
    isMacRefusal(reason) ? [{ reason, place, identityId, erasedAt }] : [],
  );
  const left = refused.filter(({ reason, identityId }) => !(reason === 'unsigned' && (acceptUnsigned || genuine.has(identityId as IdentityId))));
  if (left.length > 0) {
    const named = left.slice(0, NAMED).map(({ place, reason }) => `${place} ${REFUSALS[reason]}`);
    const more = left.length > NAMED ? `, and ${left.length - NAMED} more` : '';
    throw new Refusal(
      `${path}: ${named.join(', ')}${more}. Remove the lines that are not the service's own; where you know where the file comes from, --accept-unsigned takes those without a MAC`,
    );
  }
  const accepted = refused.map(({ identityId, erasedAt }) => [identityId as IdentityId, erasedAt] as const);
  return new Map([...accepted, ...[...genuine].map(([identityId, { erasedAt }]) => [identityId, erasedAt] as const)]);
};

/** Whether the line of such a fault is not the service's own. */
export const isMacRefusal = (reason: ListFault['reason']): reason is MacRefusal => reason in REFUSALS;
