import { explainRefusal } from '#engines/access';
import { ServiceUnavailable } from '#kernel';

/** The library's error as one that says what to do, where Kafka refuses this service, or else its message. */
export const kafkaUnavailable = (error: unknown): ServiceUnavailable =>
  error instanceof ServiceUnavailable
    ? error
    : new ServiceUnavailable(`Kafka: ${explainRefusal(error, 'KAFKA') ?? (error instanceof Error ? error.message : 'unknown error')}`);

/** The answer, or {@link kafkaUnavailable}. */
export const orUnavailable = <Answer>(answer: Promise<Answer>): Promise<Answer> =>
  answer.catch((error: unknown) => {
    throw kafkaUnavailable(error);
  });
