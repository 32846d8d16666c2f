export { BullmqJobQueue } from './bullmq/bullmq-job-queue.js';
export {
  type Again,
  again,
  type FailedJob,
  type Job,
  type JobContext,
  type JobCounts,
  type JobHandler,
  type JobPayload,
  JobQueue,
  JobQueueUnavailable,
  type Processing,
  type ProcessOptions,
} from './job-queue.js';
export { SqliteJobQueue } from './sqlite/sqlite-job-queue.js';
