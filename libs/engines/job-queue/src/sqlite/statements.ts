import type { DatabaseSync } from 'node:sqlite';

import { rowOf, rowsOf } from '#engines/sqlite';

import { DONE_KEPT, FAILED_KEPT, type FailedJob, type Job, type JobCounts, type JobPayload, MAX_DONE_KEPT } from '../job-queue.js';

/** A job that was taken to run. */
export interface Taken {
  readonly job: Job;
  readonly failures: number;
}

export type JobStatements = ReturnType<typeof prepareStatements>;

/** A job is given up after the process has died this often while running it. */
const MAX_DEATHS = 10;

/** With a bare parameter as LIMIT, SQLite 3.53 plans by its value and compiles the statement anew each time. */
const LIMIT = 'LIMIT :limit + 0';

/** The statements of the queue, prepared once. */
export const prepareStatements = (database: DatabaseSync) => {
  const schedule = database.prepare(
    `INSERT INTO jobs (queue, id, state, at, payload) VALUES (:queue, :id, 'waiting', :at, :payload) ON CONFLICT DO NOTHING`,
  );
  const take = database.prepare(
    `UPDATE jobs SET state = 'running' WHERE queue = :queue AND id IN
     (SELECT id FROM jobs WHERE queue = :queue AND state = 'waiting' AND at <= :now ORDER BY at ${LIMIT})
     RETURNING id, at, failures, payload`,
  );
  const done = database.prepare(`UPDATE jobs SET state = 'done', at = :now, payload = '' WHERE queue = :queue AND id = :id`);
  const again = database.prepare(`UPDATE jobs SET state = 'waiting', at = :at, failures = :failures, deaths = 0 WHERE queue = :queue AND id = :id`);
  const fail = database.prepare(`UPDATE jobs SET state = 'failed', at = :now, reason = :reason WHERE queue = :queue AND id = :id`);
  const retry = database.prepare(
    `UPDATE jobs SET state = 'waiting', at = :now, failures = 0, deaths = 0, reason = NULL WHERE queue = :queue AND id = :id AND state = 'failed'`,
  );
  const cancel = database.prepare(`DELETE FROM jobs WHERE queue = ? AND id = ? AND state IN ('waiting', 'failed')`);
  const forgetDone = database.prepare(`DELETE FROM jobs WHERE queue = ? AND id = ? AND state = 'done'`);
  const counts = database.prepare(
    `SELECT count(*) FILTER (WHERE state = 'waiting' AND at > :now) AS scheduled, count(*) FILTER (WHERE state = 'waiting' AND at <= :now) AS due,
     count(*) FILTER (WHERE state = 'running') AS running, count(*) FILTER (WHERE state = 'failed') AS failed
     FROM jobs WHERE queue = :queue AND state IN ('waiting', 'running', 'failed')`,
  );
  const failed = database.prepare(`SELECT id, payload, at, reason FROM jobs WHERE queue = :queue AND state = 'failed' ORDER BY at DESC ${LIMIT}`);
  const queues = database.prepare('SELECT DISTINCT queue FROM jobs');
  const forget = database.prepare('DELETE FROM jobs WHERE queue = ? AND state = ? AND at < ?');
  const oldestKept = database.prepare(`SELECT at FROM jobs WHERE queue = ? AND state = 'done' ORDER BY at DESC LIMIT 1 OFFSET ${MAX_DONE_KEPT}`);

  return {
    schedule: (queue: string, { id, at, payload }: Job) => void schedule.run({ queue, id, at, payload: JSON.stringify(payload) }),
    take: (queue: string, now: number, limit: number) =>
      rowsOf<Pick<Job, 'id' | 'at'> & { failures: number; payload: string }>(take.all({ queue, now, limit })).map(
        ({ id, at, failures, payload }): Taken => ({ job: { id, at, payload: JSON.parse(payload) as JobPayload }, failures }),
      ),
    done: (queue: string, id: string, now: number) => void done.run({ queue, id, now }),
    again: (queue: string, id: string, at: number, failures: number) => void again.run({ queue, id, at, failures }),
    fail: (queue: string, id: string, now: number, reason: string) => void fail.run({ queue, id, now, reason }),
    retry: (queue: string, id: string, now: number) => retry.run({ queue, id, now }).changes === 1,
    cancel: (queue: string, id: string) => cancel.run(queue, id).changes === 1,
    forgetDone: (queue: string, ids: readonly string[]) => ids.filter((id) => forgetDone.run(queue, id).changes === 1),
    counts: (queue: string, now: number) => ({ ...(rowOf<JobCounts>(counts.get({ queue, now })) as JobCounts) }),
    failed: (queue: string, limit: number) =>
      rowsOf<{ id: string; payload: string; at: number; reason: string }>(failed.all({ queue, limit })).map(
        ({ id, payload, at, reason }): FailedJob => ({ id, payload: JSON.parse(payload) as JobPayload, reason, failedAt: at }),
      ),
    /** Deletes done jobs that are old or beyond the limit, and failed jobs after their time. */
    forgetEnded: (now: number) => {
      for (const { queue } of rowsOf<{ queue: string }>(queues.all())) {
        const { at } = rowOf<{ at: number }>(oldestKept.get(queue)) ?? { at: 0 };
        forget.run(queue, 'done', Math.max(now - DONE_KEPT, at));
        forget.run(queue, 'failed', now - FAILED_KEPT);
      }
    },
  };
};

/** At start: the process that ran these jobs has died. */
export const takeBackRunning = (database: DatabaseSync, now: number): void => {
  database
    .prepare(
      `UPDATE jobs SET state = 'failed', at = ?, reason = 'the process died while running it' WHERE state = 'running' AND deaths >= ${MAX_DEATHS}`,
    )
    .run(now);
  database.exec(`UPDATE jobs SET state = 'waiting', deaths = deaths + 1 WHERE state = 'running'`);
};
