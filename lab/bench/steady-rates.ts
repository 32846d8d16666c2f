import type { Load } from './load.js';
import { table } from './report.js';

/** Logins a second. */
const RATES = [50, 100, 150];

/** The chapter of logins that come at a steady rate: what a login costs when fewer of them share a commit, and how long it takes. */
export const steadyRates = async (
  login: Load,
  { seconds, concurrency }: { readonly seconds: number; readonly concurrency: number },
): Promise<string> => {
  const rows: string[][] = [];
  for (const rate of RATES) {
    const { perSecond, p50, p99, serverLoad = NaN, failures } = await login.run({ seconds, concurrency, perSecond: rate });
    const failed = [...failures.values()].reduce((sum, count) => sum + count, 0);
    rows.push([String(rate), perSecond.toFixed(0), ((serverLoad * 1000) / perSecond).toFixed(2), p50.toFixed(1), p99.toFixed(1), String(failed)]);
  }
  return [
    '## Logins at a steady rate',
    '',
    `After the load of the first table, by the same processes, for ${seconds} s each. The fewer logins are under way, the fewer share a transaction and a turn of the event loop.`,
    '',
    table(['logins begun per second', 'ended per second', 'ms of processor time per login', 'p50 ms', 'p99 ms', 'failures'], rows),
    '',
  ].join('\n');
};
