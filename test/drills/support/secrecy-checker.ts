import { join, sep } from 'node:path';

import { type Answer, allSecrets, runFiles, SecretSearch, runDirectory, secretsIn } from '../../support/index.js';
import type { Tapped } from './bus-tap.js';

/**
 * The places of secrets of this run in the files of the topology `name` (logs, store, Kafka, Redis) and on these topics: the
 * invariant I8, each violation in a line. Kafka's files are compressed, so it reads the records.
 */
export const secrecyViolations = (name: string, records: readonly Tapped[]): string[] => {
  const folder = join(runDirectory(), `${name}.data`) + sep;
  const { logs, databases, others } = runFiles();
  const files = [...new Set([...logs, ...databases, ...others])].filter((path) => path.startsWith(folder));
  if (files.length === 0) throw new Error(`no files to search in ${name}.data`);
  const needles = new SecretSearch(allSecrets());
  const onTopics = records.flatMap(({ topic, key, revision, content }) =>
    needles.in(Buffer.from(content)).map(({ kind, encoding }) => `${kind} (${encoding}) in ${topic}, ${key}/${revision}`),
  );
  return [...secretsIn(files), ...onTopics].map((find) => `I8 ${find}`);
};

/** The answers that another client gets about these sessions: the invariant I9, each violation in a line. */
export const strangerViolations = async (
  stranger: { status(session: { readonly sessionId: string }): Promise<Pick<Answer, 'status' | 'json'>> },
  sessionIds: Iterable<string>,
): Promise<string[]> => {
  const found: string[] = [];
  for (const sessionId of sessionIds) {
    const { status, json } = await stranger.status({ sessionId });
    if (status !== 404 || json?.['errorCode'] !== 'session_not_found') found.push(`I9 ${sessionId}: another client was answered ${status}`);
  }
  return found;
};
