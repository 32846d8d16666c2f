import { type ErasureMacs, FileErasureLines, judgeLines, type ListFault } from '#domain/identity';
import type { IdentityId, MacRefusal } from '#kernel';

import { Refusal } from '../failures.js';

const REFUSALS: Readonly<Record<MacRefusal, string>> = {
  unsigned: 'has no MAC',
  key: 'has a MAC under a key that event.json lacks',
  forged: 'has a wrong MAC',
};

/** Refused lines that a message names. */
const NAMED = 5;

/** The persons in a file of the list of erasures, with the times of their erasures. Throws a Refusal that names the lines that the service has not written. */
export const readErasuresCopy = async (path: string, macs: ErasureMacs): Promise<ReadonlyMap<IdentityId, number>> => {
  const { genuine, faults } = await judgeLines(await new FileErasureLines(path).all(), (line) => macs.refusal(line));
  const refused = faults.flatMap(({ reason, place }) => (isMacRefusal(reason) ? [`${place} ${REFUSALS[reason]}`] : []));
  if (refused.length > 0) {
    const more = refused.length > NAMED ? `, and ${refused.length - NAMED} more` : '';
    throw new Refusal(`${path}: ${refused.slice(0, NAMED).join(', ')}${more}. Remove the lines that are not the service's own`);
  }
  return new Map([...genuine].map(([identityId, { erasedAt }]) => [identityId, erasedAt] as const));
};

/** Whether the line of such a fault is not the service's own. */
export const isMacRefusal = (reason: ListFault['reason']): reason is MacRefusal => reason in REFUSALS;
