import type { EventStore } from '#engines/event-store';
import type { Clock } from '#kernel';

import { Checkpoint } from './checkpoint.js';

/** How far the deletion of old sessions has come: no session before it is stored. */
export const retentionCheckpointOf = (eventStore: EventStore, clock: Clock): Checkpoint => new Checkpoint(eventStore, clock, 'session-retention');
