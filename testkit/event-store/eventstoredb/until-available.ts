import { EventStoreUnavailable } from '#engines/event-store';
import { eventually } from '#testkit/kernel/eventually';

/**
 * The answer of a work that may be done twice, once the cluster gives one: on a busy machine its nodes may elect again at any moment, and a store
 * says then, as it must, that it is unavailable. Throws the work's other errors.
 */
export const untilAvailable = async <T>(work: () => Promise<T>): Promise<T> => {
  const answers: T[] = [];
  const answered = (answer: T): boolean => answers.push(answer) > 0;
  await eventually(
    () =>
      work().then(answered, (error: unknown) => {
        if (error instanceof EventStoreUnavailable) return false;
        throw error;
      }),
    { what: 'the cluster answers', within: 60_000 },
  );
  return answers[0]!;
};
