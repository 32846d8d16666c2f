export { BullmqJobQueue } from './bullmq/bullmq-job-queue.js';
export { type Job, runAgain, type JobPayload, JobQueue, type Processing } from './job-queue.js';
export { SqliteJobQueue } from './sqlite/sqlite-job-queue.js';
export { type JobCounts, type JobHandler, JobQueueUnavailable, type ProcessOptions } from './job-queue.js';
