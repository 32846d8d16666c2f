import { randomBytes } from 'node:crypto';

import { reservePort } from '../../testkit/processes/reserve-port.ts';
import { ServiceProcess } from '../../testkit/processes/service-process.ts';
import { givenEventStore } from './engines.js';
import { runDirectory } from './run-directory.js';
import { secret } from './secrets.js';
import { Service } from './service.js';

/** A standalone process that the suite starts and may kill. */
export class StandaloneService extends Service {
  private constructor(
    private readonly process: ServiceProcess,
    private settings: Readonly<Record<string, string>>,
    adminToken: string,
  ) {
    super([process.url], `http://localhost:${process.port}/login`, adminToken, 0);
  }

  static async start(name: string, settings: Readonly<Record<string, string>> = {}): Promise<StandaloneService> {
    const token = secret('admin token', randomBytes(24).toString('base64url'));
    const process = new ServiceProcess({
      name: 'standalone',
      label: name,
      port: await reservePort(),
      directory: runDirectory(),
      environment: {},
    });
    const service = new StandaloneService(process, settings, token);
    await service.restart();
    return service;
  }

  get pid(): number | undefined {
    return this.process.pid;
  }

  get dataDirectory(): string {
    return this.process.dataDirectory;
  }

  /** Starts the process on the data of its last run, perhaps with other settings, and waits until it is ready. */
  async restart(settings = this.settings): Promise<void> {
    this.settings = settings;
    this.process.environment = {
      ADMIN_TOKEN: this.adminToken,
      DEMO: 'false',
      LOG_LEVEL: 'debug',
      AUTHENTICATION_FAILURE_LIMIT: '1000000',
      WEBHOOK_PING_LIMIT: '1000000',
      WEBHOOK_RECOVER_LIMIT: '1000000',
      ...givenEventStore(),
      ...settings,
    };
    await this.process.start();
  }

  /** SIGKILL. */
  kill(): Promise<void> {
    return this.process.kill();
  }

  /** SIGTERM. */
  stop(): Promise<void> {
    return this.process.stop();
  }
}
