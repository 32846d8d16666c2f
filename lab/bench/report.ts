import { createRequire } from 'node:module';
import { cpus, release, totalmem, type } from 'node:os';

import type { Measurement } from './measurement.js';

/** The load of status polls; {@link SAME_ANSWER} is its reference. */
export const STATUS_POLL = 'Status poll';
/** The load of whole logins. */
export const FULL_LOGIN = 'Full login (5 requests)';
/** A route of bare Fastify that gives the answer of a status poll to the same requests, without any work. */
export const SAME_ANSWER = 'Bare Fastify, the answer of a status poll';

export interface Result {
  readonly name: string;
  readonly full: Measurement;
  /** At half of the rate that was reached. */
  readonly half: Measurement;
  /** As {@link full}, by a load that does not sleep; of the two that are compared. */
  readonly awake: Measurement | undefined;
}

export interface Circumstances {
  readonly seconds: number;
  readonly concurrency: number;
  /** Seconds of the same load before each measurement. */
  readonly warmUp: number;
  readonly at: Date;
  /** The machine's. */
  readonly loadBefore: number;
}

/** A table in Markdown, with the machine under it. All other results are compared with the first. */
export const report = (results: readonly Result[], about: Circumstances): string => {
  const [measure] = results;
  const rows = results.map(({ name, full, half }) => [
    name,
    round(full.perSecond),
    full.p50.toFixed(1),
    full.p99.toFixed(1),
    half.p99.toFixed(1),
    (full.perSecond / (measure?.full.perSecond ?? NaN)).toFixed(3),
    full.serverLoad === undefined ? '–' : round(full.perSecond / full.serverLoad),
    String(sum(full.failures) + sum(half.failures)),
  ]);
  return [
    '# Benchmarks',
    '',
    'Made by `npm run bench -- --write`. The standalone process with its defaults (SQLite, every commit on disk before it is answered), beside a Fastify',
    `route that answers \`{"hello":"world"}\`: same machine, same run, ${about.concurrency} requests at a time for ${about.seconds} s over keep-alive connections, after ${about.warmUp} s of the same to warm up. A login is`,
    'whole when the subjectId is there: POST session, scan, confirm, completion, token.',
    '',
    table(['', 'per second', 'p50 ms', 'p99 ms', 'p99 ms at half load', 'ratio to bare Fastify', 'per second of processor time', 'failures'], rows),
    '',
    ...pollBesideSameAnswer(results),
    `${machine()}. ${versions()}. ${about.at.toISOString().slice(0, 10)}. Load average\nbefore the run ${about.loadBefore.toFixed(1)}. The load generator runs on the same machine and takes\nprocessor time too; the last but one column counts only the server's: what one of its cores does in a second.`,
    '',
  ].join('\n');
};

const pollBesideSameAnswer = (results: readonly Result[]): readonly string[] => {
  const [poll, same] = [STATUS_POLL, SAME_ANSWER].map((wanted) => results.find(({ name }) => name === wanted));
  if (!poll?.awake || !same?.awake) return [];
  const ratio = (of: (measured: Measurement) => number, loads: 'full' | 'awake'): string =>
    (of(poll[loads] as Measurement) / of(same[loads] as Measurement)).toFixed(2);
  const byProcessor = ({ perSecond, serverLoad = NaN }: Measurement): number => perSecond / serverLoad;
  return [
    `A status poll reaches ${ratio(byProcessor, 'awake')} of the bare route that sends the same headers and body, by processor time, with a load whose processor stays awake; ${ratio(byProcessor, 'full')} with the load of the table, which sleeps while it waits,`,
    `so that the server's processor has to wake it. By rate: ${ratio(({ perSecond }) => perSecond, 'full')}.`,
    '',
  ];
};

/** In Markdown; the first column holds names, the others numbers. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string => {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, column) => (column === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');
};

const sum = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((total, count) => total + count, 0);

const round = (value: number): string => Math.round(value).toLocaleString('en');

/** The machine that a result was measured on. */
export const machine = (): string => {
  const [cpu] = cpus();
  return `${cpus().length} × ${cpu?.model.trim() ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${type()} ${release()}`;
};

export const versions = (): string => {
  const require = createRequire(import.meta.url);
  const versionOf = (name: string): string => (require(`${name}/package.json`) as { version: string }).version;
  return `Node ${process.versions.node}, SQLite ${process.versions['sqlite'] ?? '?'}, Fastify ${versionOf('fastify')}, Nest ${versionOf('@nestjs/core')}`;
};
