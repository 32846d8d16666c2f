export { CountedReadModels } from './counted-read-models.js';
export { projectionsInMemory } from './projections-in-memory.js';
export { TemporaryDatabase } from './temporary-database.js';
