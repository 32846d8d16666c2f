import { EventStoreUnavailable, StreamRefused } from '#engines/event-store';
import { HistoryRefused, type Loss, NoteRefused, PlaceUnavailable } from '#engines/transparency-log';
import { LossRequestRefused } from '#domain/administration';
import { ServiceUnavailable } from '#kernel';
import { askLossAcceptance, checkpointKeys, readSettings } from '#service/platform';

import { Refusal, Unavailable } from '../failures.js';

/** The public keys of the checkpoints. Throws InvalidSettings. */
export const publicKeys = (settings = readSettings()): Promise<readonly string[]> => checkpointKeys(settings);

/** Asks for the acceptance of what the store has lost. Throws a Failure. */
export const acceptLoss = async (settings = readSettings()): Promise<Loss> => {
  try {
    return await askLossAcceptance(settings);
  } catch (error) {
    if (error instanceof EventStoreUnavailable || error instanceof ServiceUnavailable || error instanceof PlaceUnavailable)
      throw new Unavailable(error.reason, { cause: error });
    if (error instanceof StreamRefused || error instanceof LossRequestRefused) throw new Refusal(error.reason, { cause: error });
    if (error instanceof HistoryRefused || error instanceof NoteRefused) throw new Refusal(error.message, { cause: error });
    throw error;
  }
};
