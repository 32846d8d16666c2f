import { execFile, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import { endProcess, runningProcess } from '../../processes/process-state.ts';
import { reservePorts } from '../../processes/reserve-port.ts';
import { scramUsers, type SecureListeners, secureProperties } from './secure-listeners.ts';

const HERE = import.meta.dirname;
const LIB = resolve(HERE, '../../../.cache/kafka/lib');
/** The classes of a broker, parsed and verified (JEP 310): with them it starts in half the time. `testkit/programs/kafka/fetch.ts` makes the file. */
export const CLASS_ARCHIVE = resolve(LIB, '../classes.jsa');
/** Milliseconds. */
const START_TIME = 120_000;

interface Node {
  readonly id: number;
  readonly port: number;
  readonly controllerPort: number;
}

export interface KafkaClusterOptions {
  /** Empty, or one that holds a cluster. */
  readonly directory: string;
  /** Default: 1. */
  readonly brokers?: number;
  /** The first of twice as many ports as brokers. Default: reserved ones (see `reservePort`). */
  readonly port?: number;
  /** Listeners with TLS and users beside the one without, of a single broker. */
  readonly secure?: SecureListeners;
  /** Further options of the brokers' Java. */
  readonly javaOptions?: readonly string[];
}

/** Brings Kafka's jars from Maven Central to .cache/kafka/lib, once. Needs Java 17 and Maven. */
export const fetchKafka = (): void => {
  if (existsSync(join(LIB, '.complete'))) return;
  execFileSync(
    'mvn',
    ['-q', '-B', '-f', join(HERE, 'pom.xml'), 'dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${LIB}`],
    { stdio: 'inherit' },
  );
  execFileSync('touch', [join(LIB, '.complete')]);
};

/** Brokers of one Kafka cluster (KRaft, every broker also a controller) as processes of this machine that listen on 127.0.0.1. */
export class KafkaCluster {
  readonly #directory: string;
  readonly #nodes: readonly Node[];
  readonly #javaOptions: readonly string[];

  private constructor(directory: string, nodes: readonly Node[], javaOptions: readonly string[]) {
    this.#directory = directory;
    this.#nodes = nodes;
    this.#javaOptions = javaOptions;
  }

  /** Makes a cluster in an empty directory, or opens the one that is there. Starts no broker. */
  static async open({ directory, brokers = 1, port, secure, javaOptions = [] }: KafkaClusterOptions): Promise<KafkaCluster> {
    fetchKafka();
    const file = join(directory, 'cluster.json');
    if (existsSync(file)) return new KafkaCluster(directory, JSON.parse(await readFile(file, 'utf8')) as Node[], javaOptions);
    await mkdir(directory, { recursive: true });
    const ports = port === undefined ? await reservePorts(2 * brokers) : Array.from({ length: 2 * brokers }, (_, index) => port + index);
    const nodes = Array.from({ length: brokers }, (_, index) => ({
      id: index + 1,
      port: ports[index] ?? 0,
      controllerPort: ports[brokers + index] ?? 0,
    }));
    const cluster = new KafkaCluster(directory, nodes, javaOptions);
    for (const node of nodes)
      await writeFile(cluster.#path(node, 'server.properties'), properties(directory, node, nodes) + (secure ? secureProperties(secure, node) : ''));
    await writeFile(join(directory, 'format-options'), JSON.stringify(secure ? scramUsers(secure) : []));
    await writeFile(join(directory, 'cluster-id'), newClusterId());
    await writeFile(file, JSON.stringify(nodes));
    return cluster;
  }

  /** For KAFKA_BROKERS. */
  get brokers(): readonly string[] {
    return this.#nodes.map(({ port }) => `127.0.0.1:${port}`);
  }

  /** Numbers of the brokers: 1, 2, … */
  get ids(): readonly number[] {
    return this.#nodes.map(({ id }) => id);
  }

  /** Starts the brokers that do not run, and resolves when they serve. They outlive this process. */
  async start(ids = this.ids): Promise<void> {
    await Promise.all(ids.map((id) => this.#start(this.#node(id))));
  }

  /** SIGTERM, and SIGKILL after 20 s. */
  async stop(ids = this.ids): Promise<void> {
    await Promise.all(ids.map((id) => endProcess(this.#pidFile(this.#node(id)), 'SIGTERM')));
  }

  /** SIGKILL. */
  async kill(ids = this.ids): Promise<void> {
    await Promise.all(ids.map((id) => endProcess(this.#pidFile(this.#node(id)), 'SIGKILL')));
  }

  /** Erases everything that stopped brokers hold: topics, offsets of groups, the cluster's own metadata. */
  async wipe(ids = this.ids): Promise<void> {
    for (const id of ids) await rm(this.#path(this.#node(id), 'log'), { recursive: true, force: true });
  }

  async remove(): Promise<void> {
    await this.kill();
    await rm(this.#directory, { recursive: true, force: true });
  }

  async #start(node: Node): Promise<void> {
    if (await runningProcess(this.#pidFile(node))) return;
    if (!existsSync(this.#path(node, 'log'))) {
      const clusterId = await readFile(join(this.#directory, 'cluster-id'), 'utf8');
      const file = join(this.#directory, 'format-options');
      const options = existsSync(file) ? (JSON.parse(await readFile(file, 'utf8')) as string[]) : [];
      await java(['kafka.tools.StorageTool', 'format', '-t', clusterId, '-c', this.#path(node, 'server.properties'), ...options]);
    }
    await using output = await open(this.#path(node, 'out'), 'w');
    const heap = this.#nodes.length > 1 ? '384m' : '512m';
    const options = [...JAVA_OPTIONS, `-Xmx${heap}`, `-Dlog4j2.configurationFile=${join(HERE, 'log4j2.properties')}`];
    const child = spawn(
      'java',
      [...options, ...archived(), ...this.#javaOptions, '-cp', `${LIB}/*`, 'kafka.Kafka', this.#path(node, 'server.properties')],
      {
        detached: true,
        stdio: ['ignore', output.fd, output.fd],
      },
    );
    child.unref();
    await writeFile(this.#pidFile(node), String(child.pid));
    for (const giveUpAt = performance.now() + START_TIME; ;) {
      const text = await readFile(this.#path(node, 'out'), 'utf8');
      if (text.includes('Kafka Server started')) return;
      if (child.exitCode !== null || performance.now() > giveUpAt) throw new Error(`broker ${node.id} did not start:\n${text.slice(-3_000)}`);
      await sleep(100);
    }
  }

  #pidFile(node: Node): string {
    return this.#path(node, 'pid');
  }

  #node(id: number): Node {
    const node = this.#nodes.find((one) => one.id === id);
    if (!node) throw new RangeError(`there is no broker ${id}`);
    return node;
  }

  #path({ id }: Pick<Node, 'id'>, name: string): string {
    return join(this.#directory, `broker-${id}.${name}`);
  }
}

/** For processes that live for seconds. */
const JAVA_OPTIONS = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];

/** An archive of another Java is ignored by this one. */
const archived = (): readonly string[] => (existsSync(CLASS_ARCHIVE) ? [`-XX:SharedArchiveFile=${CLASS_ARCHIVE}`] : []);

const java = (args: readonly string[]) => promisify(execFile)('java', [...JAVA_OPTIONS, ...archived(), '-cp', `${LIB}/*`, ...args]);

/** As Kafka's `random-uuid` makes it: 128 bits, of which none make a command-line option. */
const newClusterId = (): string => {
  const id = randomBytes(16).toString('base64url');
  return id.startsWith('-') ? newClusterId() : id;
};

const properties = (directory: string, { id, port, controllerPort }: Node, nodes: readonly Node[]): string => {
  const replicas = Math.min(3, nodes.length);
  const inSync = Math.min(2, replicas);
  return `process.roles=broker,controller
node.id=${id}
controller.quorum.voters=${nodes.map((node) => `${node.id}@127.0.0.1:${node.controllerPort}`).join(',')}
listeners=PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}
advertised.listeners=PLAINTEXT://127.0.0.1:${port}
controller.listener.names=CONTROLLER
inter.broker.listener.name=PLAINTEXT
listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT
log.dirs=${join(directory, `broker-${id}.log`)}
auto.create.topics.enable=false
unclean.leader.election.enable=false
offsets.topic.replication.factor=${replicas}
offsets.topic.num.partitions=4
transaction.state.log.replication.factor=${replicas}
transaction.state.log.min.isr=${inSync}
transaction.state.log.num.partitions=4
share.coordinator.state.topic.replication.factor=${replicas}
share.coordinator.state.topic.min.isr=${inSync}
min.insync.replicas=${inSync}
group.initial.rebalance.delay.ms=0
`;
};
