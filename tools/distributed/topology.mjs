import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseEnv } from 'node:util';

import { engines } from '../integration/engines.mjs';
import { Gateway } from './gateway.mjs';
import { ServiceProcess } from './service-process.mjs';
import { services } from './services.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
const PORTS = { api: 8080, login: 8081, phone: 8082 };
const FIRST_SERVICE_PORT = 8101;

/** The distributed profile on this machine: engines, services, gateway. Engines that the environment names are used, the others started. */
export class Topology {
  #stops = [];

  /** `directory`: where everything is kept. `firstPort`: of three for the gateway. */
  constructor({ directory, environment = process.env }) {
    this.directory = directory;
    this.environment = environment;
    this.replicas = [];
  }

  async start() {
    await mkdir(this.directory, { recursive: true });
    const shared = parseEnv(await readFile(join(ROOT, 'deploy/settings/services.env'), 'utf8'));
    const settings = { ...shared, ...(await this.#engines()), KEY_DIR: join(this.directory, 'keys'), TRUSTED_PROXIES: '127.0.0.1/32', ...picked(this.environment) };
    this.settings = settings;
    let port = FIRST_SERVICE_PORT;
    for (const { name, replicas } of services) {
      for (let number = 1; number <= replicas; number++) {
        this.replicas.push(new ServiceProcess({ name, number, port: port++, directory: this.directory, environment: settings }));
      }
    }
    this.#stops.push(() => Promise.all(this.replicas.map((replica) => replica.stop())));
    // The first one makes the keys; afterwards all at once.
    const [first, ...others] = this.replicas;
    await first.start();
    await Promise.all(others.map((replica) => replica.start()));
    const gateway = new Gateway({ directory: this.directory, ports: PORTS, upstreams: this.#upstreams() });
    await gateway.start();
    this.#stops.push(() => gateway.stop());
  }

  async stop() {
    for (const stop of this.#stops.toReversed()) await stop();
  }

  /** Answers the settings by which the services find them. */
  async #engines() {
    const found = {};
    for (const { setting, start } of [eventStore(this.directory), ...engines]) {
      const given = this.environment[setting];
      const { value, stop } = given ? { value: given } : await start();
      found[setting] = value;
      if (stop) this.#stops.push(stop);
    }
    return found;
  }

  #upstreams() {
    return Object.fromEntries(
      services
        .filter(({ upstream }) => upstream)
        .map(({ name, upstream }) => [
          upstream,
          this.replicas
            .filter((replica) => replica.name === name)
            .map(({ port }) => `server 127.0.0.1:${port} max_fails=0`)
            .join('; '),
        ]),
    );
  }
}

/** No EventStoreDB can be installed here: a gRPC test server of our own stands in for it unless ESDB_URL names a real one. */
const eventStore = (directory) => ({
  setting: 'ESDB_URL',
  start: async () => {
    const program = join(ROOT, 'dist/libs/event-store/src/eventstoredb/testing/grpc-test-server.js');
    const folder = join(directory, 'grpc-test-server');
    await mkdir(folder, { recursive: true });
    const child = spawn(process.execPath, [program, '--port', '0', '--data', folder], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = await once(createInterface(child.stdout), 'line');
    return {
      value: line.slice(line.lastIndexOf(' ') + 1),
      stop: async () => {
        child.kill('SIGTERM');
        await once(child, 'exit');
      },
    };
  },
});

/** What may be set from outside. */
const picked = (environment) =>
  Object.fromEntries(
    ['ADMIN_TOKEN', 'LOG_LEVEL', 'SESSION_TTL', 'PUSH_SESSION_TTL', 'CODE_TTL', 'HANDOFF_TTL', 'RESULT_RETENTION', 'AUTHENTICATION_FAILURE_LIMIT', 'PUSH_LIMIT']
      .filter((name) => environment[name])
      .map((name) => [name, environment[name]]),
  );
