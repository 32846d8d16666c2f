import { EventStoreUnavailable, StreamRefused } from '#engines/event-store';
import type { DeadLetter, Redriven } from '#engines/message-bus';
import { ServiceUnavailable } from '#kernel';
import { type DeadLetters, openDeadLetters, readSettings } from '#service/platform';

import { Refusal, Unavailable, UsageFailure } from '../failures.js';

interface OfGroup {
  readonly group: string;
}

/** Throws a Failure. `group`: that one alone. */
export const listDeadLetters = (group?: string): Promise<readonly (OfGroup & { readonly letters: readonly DeadLetter[] })[]> =>
  forEachGroup(group, async (dead, one) => ({ group: one, letters: await dead.list(one) }));

/** Throws a Failure. `group`: that one alone. */
export const redriveDeadLetters = (group?: string): Promise<readonly (OfGroup & Redriven)[]> =>
  forEachGroup(group, async (dead, one) => ({ group: one, ...(await dead.redrive(one)) }));

const forEachGroup = async <Answer>(
  group: string | undefined,
  work: (dead: DeadLetters, group: string) => Promise<Answer>,
): Promise<readonly Answer[]> => {
  let dead: DeadLetters | undefined;
  try {
    dead = await openDeadLetters(readSettings());
    if (group !== undefined && !dead.groups.includes(group)) throw new UsageFailure(`there is no group ${group}: ${dead.groups.join(', ')}`);
    const answers: Answer[] = [];
    for (const one of group === undefined ? dead.groups : [group]) answers.push(await work(dead, one));
    return answers;
  } catch (error) {
    if (error instanceof EventStoreUnavailable || error instanceof ServiceUnavailable) throw new Unavailable(error.reason, { cause: error });
    if (error instanceof StreamRefused) throw new Refusal(error.reason, { cause: error });
    throw error;
  } finally {
    await dead?.close();
  }
};
