import { sha256Base64url } from '#kernel';

import { categoryOf, type EventStore, NO_STREAM, type StreamName, streamName, WrongExpectedRevision } from './event-store.js';

/** As `LOSSES` declares it. */
const LOSS_CATEGORY = 'loss';

/** Characters of the hash of a stream's name by which its loss is named: 96 bits. */
const NAME_LENGTH = 16;

/** The stream that notes the loss of the stream with this name. Of a hash, since names hold the ids of persons. */
export const lossStream = (digest: string): StreamName => streamName(LOSS_CATEGORY, digest.slice(0, NAME_LENGTH));

/** Notes that the service itself is about to lose the stream, so that its guarded events are not missed. Repeating it does nothing. Throws what appends throw. */
export const noteLoss = async (store: EventStore, stream: StreamName): Promise<void> => {
  const noted = { type: 'LossNoted', data: { category: categoryOf(stream) } };
  await store.append(lossStream(sha256Base64url(stream)), NO_STREAM, [noted]).catch((error: unknown) => {
    if (!(error instanceof WrongExpectedRevision)) throw error;
  });
};
