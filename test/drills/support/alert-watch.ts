import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { eventually } from '#testkit/kernel/eventually';
import { parse, stringify } from 'yaml';

import { alertFiles, Prometheus } from '../../../lab/observed/prometheus.ts';
import { targetsOf } from '../../../lab/observed/targets.ts';
import { reservePort } from '../../../testkit/processes/reserve-port.ts';
import type { ServiceProcess } from '../../../testkit/processes/service-process.ts';

/** Milliseconds: no promise, only a limit for an alert that never fires. */
const FIRED_WITHIN = 120_000;
const ASK_AGAIN = 200;

/** Alerts about time. On a busy machine a healthy service may be late, so only their firing is judged. */
export const ABOUT_TIME: readonly string[] = [
  'ConsumersBehind',
  'DeletionsLate',
  'EventLoopBlocked',
  'EventRelayBehind',
  'LatencyBudgetBurnsFast',
  'LatencyBudgetBurnsSlowly',
  'ReadModelBehind',
  'SessionTimersLate',
];

interface RuleFile {
  readonly groups: readonly { readonly name: string; readonly rules: readonly { readonly expr: string; readonly for?: string }[] }[];
}

/** An answer of Prometheus: labels, and the time and the value of the sample. */
interface Series {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [number, string];
}

/**
 * The rules of a file of the chart with less patience, since a drill has no hour: an alert fires as soon as its condition holds (no `for`), a lag counts
 * from one second on in place of a minute or an hour, and a queue from ten messages on in place of a thousand. Metrics, labels, windows and shares stay.
 */
export const impatient = (file: string): string => {
  const { groups } = parse(readFileSync(file, 'utf8')) as RuleFile;
  const rule = ({ for: _, expr, ...rest }: RuleFile['groups'][number]['rules'][number]) => ({
    ...rest,
    expr: expr.replace(/> (60|3600)$/, '> 1').replace(/> 1000$/, '> 10'),
  });
  return stringify({ groups: groups.map(({ name, rules }) => ({ name, rules: rules.map(rule) })) });
};

/** A Prometheus that reads the services of a drill each second and judges the alerts of the chart, by {@link impatient} rules. */
export class AlertWatch {
  readonly #prometheus: Prometheus;
  /** When the services had all been read and no alert fired any more; epoch milliseconds. */
  #since = 0;

  private constructor(prometheus: Prometheus) {
    this.#prometheus = prometheus;
  }

  static async start(directory: string, replicas: readonly ServiceProcess[]): Promise<AlertWatch> {
    mkdirSync(directory, { recursive: true });
    const ruleFiles = alertFiles().map((file) => {
      const path = join(directory, basename(file));
      writeFileSync(path, impatient(file));
      return path;
    });
    const prometheus = new Prometheus({ directory, port: await reservePort(), targets: targetsOf(replicas), ruleFiles, every: 1 });
    await prometheus.start();
    const watch = new AlertWatch(prometheus);
    // A service that was not read yet looks like one that is gone.
    const isQuiet = async (): Promise<boolean> =>
      (await watch.value('count(up == 1)')) === replicas.length && (await watch.value('count(ALERTS{alertstate="firing"})')) === undefined;
    await eventually(isQuiet, { what: 'all services are read and no alert fires', within: FIRED_WITHIN });
    watch.#since = Date.now();
    return watch;
  }

  /** The value of a query that answers one series; undefined when it answers none. */
  async value(query: string): Promise<number | undefined> {
    const [first] = await this.#ask(query);
    return first === undefined ? undefined : Number(first.value[1]);
  }

  /** The alerts that have fired since the start. */
  async fired(): Promise<readonly string[]> {
    const seconds = Math.max(1, Math.floor((Date.now() - this.#since) / 1_000));
    const series = await this.#ask(`count by (alertname) (count_over_time(ALERTS{alertstate="firing"}[${seconds}s]))`);
    return series.map(({ metric }) => metric['alertname']!).sort();
  }

  /** Rejects if the alert has fired already, for a drill whose fault alone may fire it. */
  async assertSilent(alert: string): Promise<void> {
    if ((await this.fired()).includes(alert)) throw new Error(`${alert} has fired before its fault`);
  }

  /** Repeats a request, since a rate needs more than one, until these alerts have fired. */
  async askUntilFired(ask: () => Promise<unknown>, ...alerts: readonly string[]): Promise<void> {
    let hasFired = false;
    const asking = async (): Promise<void> => {
      for (; !hasFired; await sleep(ASK_AGAIN)) await ask();
    };
    await Promise.all([asking(), this.untilFired(...alerts).finally(() => (hasFired = true))]);
  }

  async untilFired(...alerts: readonly string[]): Promise<void> {
    let missing = alerts;
    const allFired = async (): Promise<boolean> => {
      const fired = await this.fired();
      missing = alerts.filter((alert) => !fired.includes(alert));
      return missing.length === 0;
    };
    await eventually(allFired, { what: () => `not fired: ${missing.join(', ')}`, within: FIRED_WITHIN });
  }

  stop(): Promise<void> {
    return this.#prometheus.stop();
  }

  async #ask(query: string): Promise<readonly Series[]> {
    const answer = await fetch(`${this.#prometheus.url}/api/v1/query?query=${encodeURIComponent(query)}`);
    if (!answer.ok) throw new Error(`${query}: ${await answer.text()}`);
    return ((await answer.json()) as { data: { result: readonly Series[] } }).data.result;
  }
}
