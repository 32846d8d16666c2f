import { join } from 'node:path';

import { ServiceProcess } from '../../testkit/processes/service-process.ts';
import { Prometheus } from './prometheus.ts';
import { Viewer } from './viewer.ts';

export interface ObservedOptions {
  /** The folder of all data. */
  readonly directory: string;
  readonly ports: { readonly service: number; readonly prometheus: number; readonly viewer: number };
  /** Settings of the service; they take precedence over those for traces. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** The embedded service, which sends its traces to a viewer and its metrics to a Prometheus, all on this machine. */
export class ObservedService {
  readonly service: ServiceProcess;
  readonly prometheus: Prometheus;
  readonly viewer: Viewer;
  readonly #options: ObservedOptions;

  constructor(options: ObservedOptions) {
    const { directory, ports } = options;
    this.#options = options;
    this.service = new ServiceProcess({ name: 'standalone', port: ports.service, directory, environment: {} });
    const targets = { countersign: [`127.0.0.1:${ports.service}`] };
    this.prometheus = new Prometheus({ directory: join(directory, 'observed'), port: ports.prometheus, targets });
    this.viewer = new Viewer(this.prometheus.url);
  }

  async start(): Promise<void> {
    const { ports, settings } = this.#options;
    await this.viewer.start(ports.viewer);
    const traces = { OTEL_EXPORTER_OTLP_ENDPOINT: this.viewer.url, OTEL_SERVICE_NAME: 'countersign' };
    this.service.environment = { ...traces, ...settings };
    await Promise.all([this.service.start(), this.prometheus.start()]);
  }

  /** Stops the processes that it started. */
  async stop(): Promise<void> {
    await this.service.stop();
    await this.prometheus.stop();
    await this.viewer.stop();
  }
}
