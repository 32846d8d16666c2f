export { BullmqJobQueue } from './bullmq/bullmq-job-queue.js';
export { runAgain, type JobPayload, JobQueue, JobQueueUnavailable, type Processing } from './job-queue.js';
export { SqliteJobQueue } from './sqlite/sqlite-job-queue.js';
