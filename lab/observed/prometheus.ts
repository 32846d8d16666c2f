import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const ALERTS = join(import.meta.dirname, '../../deploy/helm/countersign/files/alerts');
/** Milliseconds. */
const START_TIME = 60_000;

export interface PrometheusOptions {
  /** Holds its data, its configuration and its log. */
  readonly directory: string;
  readonly port: number;
  /** `host:port` of the processes whose `/metrics` it reads, by job. */
  readonly targets: Readonly<Record<string, readonly string[]>>;
  /** Default: the alerts of the chart. */
  readonly ruleFiles?: readonly string[];
  /** Between two readings of a target, in seconds. Default: 2. */
  readonly every?: number;
}

/** The files of the chart's alerts. */
export const alertFiles = (): readonly string[] => readdirSync(ALERTS).map((file) => join(ALERTS, file));

/** The configuration of a Prometheus that reads the targets and judges the rules. In JSON, which is YAML. */
export const configuration = ({ targets, ruleFiles = alertFiles(), every = 2 }: Pick<PrometheusOptions, 'targets' | 'ruleFiles' | 'every'>): string =>
  JSON.stringify({
    global: { scrape_interval: `${every}s`, scrape_timeout: `${every}s`, evaluation_interval: `${every}s` },
    rule_files: ruleFiles,
    scrape_configs: Object.entries(targets).map(([job, addresses]) => ({ job_name: job, static_configs: [{ targets: addresses }] })),
  });

/** Prometheus as a process of this machine (Debian: apt-get install prometheus), on loopback, with exemplars. */
export class Prometheus {
  readonly #options: PrometheusOptions;
  #child: ChildProcess | undefined;

  constructor(options: PrometheusOptions) {
    this.#options = options;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#options.port}`;
  }

  /** Resolves when it answers queries. Throws when the program is missing, and when it ends. */
  async start(): Promise<void> {
    const { directory, port } = this.#options;
    mkdirSync(directory, { recursive: true });
    const file = join(directory, 'prometheus.json');
    writeFileSync(file, configuration(this.#options));
    const log = openSync(join(directory, 'prometheus.log'), 'a');
    const child = spawn(
      'prometheus',
      [
        `--config.file=${file}`,
        `--storage.tsdb.path=${join(directory, 'prometheus')}`,
        `--web.listen-address=127.0.0.1:${port}`,
        '--enable-feature=exemplar-storage',
      ],
      { stdio: ['ignore', log, log] },
    );
    closeSync(log);
    this.#child = child;
    let failure: Error | undefined;
    child.once('error', (error: NodeJS.ErrnoException) => {
      failure = error.code === 'ENOENT' ? new Error('prometheus is missing: apt-get install prometheus') : error;
    });
    for (const giveUpAt = performance.now() + START_TIME; !(await this.#isReady()); await sleep(100)) {
      if (failure) throw failure;
      if (child.exitCode !== null || performance.now() > giveUpAt)
        throw new Error(`prometheus did not start: ${join(directory, 'prometheus.log')} tells why`);
    }
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }

  async #isReady(): Promise<boolean> {
    return fetch(`${this.url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  }
}
