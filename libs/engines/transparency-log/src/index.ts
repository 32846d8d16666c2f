export { PlaceUnavailable } from './anchor-place.js';
export { CHECKPOINT_INTERVAL, CheckpointWriter, type Guarded } from './checkpoint-writer.js';
export { FolderPlace } from './folder-place.js';
export { HistoryRefused } from './history-refused.js';
export { PublishedLog } from './published-log.js';
export { NoteRefused, noteSigner, type NoteVerifier } from './signed-note.js';
export { HISTORY_NOTES } from './streams.js';
