export { BullmqJobQueue } from './bullmq/bullmq-job-queue.js';
export { runAgain, type JobPayload, JobQueue } from './job-queue.js';
export { SqliteJobQueue } from './sqlite/sqlite-job-queue.js';
