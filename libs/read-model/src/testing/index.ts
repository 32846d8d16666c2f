export { projectionsInMemory } from './projections-in-memory.js';
