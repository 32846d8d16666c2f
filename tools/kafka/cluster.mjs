import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { freePorts } from '../distributed/free-ports.mjs';

const HERE = import.meta.dirname;
const LIB = resolve(HERE, '../../.cache/kafka/lib');
const START_TIME = 60_000;

/** Brings Kafka's jars from Maven Central to .cache/kafka/lib, once. Needs Java 17 and Maven. */
export const fetchKafka = () => {
  if (existsSync(join(LIB, '.complete'))) return;
  execFileSync('mvn', ['-q', '-B', '-f', join(HERE, 'pom.xml'), 'dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${LIB}`], { stdio: 'inherit' });
  execFileSync('touch', [join(LIB, '.complete')]);
};

/** Brokers of one Kafka cluster (KRaft, every broker also a controller) as processes of this machine, on free ports of the loopback. */
export class KafkaCluster {
  #nodes;

  constructor(directory, nodes) {
    this.directory = directory;
    this.#nodes = nodes;
  }

  /** Makes a cluster in an empty directory, or takes up the one that is there. Starts nothing. */
  static async open({ directory, brokers = 1, port }) {
    fetchKafka();
    const file = join(directory, 'cluster.json');
    if (existsSync(file)) return new KafkaCluster(directory, JSON.parse(await readFile(file, 'utf8')));
    await mkdir(directory, { recursive: true });
    const ports = port === undefined ? await freePorts(2 * brokers) : Array.from({ length: 2 * brokers }, (_, index) => port + index);
    const nodes = Array.from({ length: brokers }, (_, index) => ({ id: index + 1, port: ports[index], controllerPort: ports[brokers + index] }));
    const cluster = new KafkaCluster(directory, nodes);
    const clusterId = java(['kafka.tools.StorageTool', 'random-uuid']).trim();
    for (const node of nodes) await writeFile(cluster.#path(node, 'server.properties'), properties(directory, node, nodes));
    await writeFile(join(directory, 'cluster-id'), clusterId);
    await writeFile(file, JSON.stringify(nodes));
    return cluster;
  }

  /** For KAFKA_BROKERS. */
  get brokers() {
    return this.#nodes.map(({ port }) => `127.0.0.1:${port}`);
  }

  /** Numbers of the brokers: 1, 2, … */
  get ids() {
    return this.#nodes.map(({ id }) => id);
  }

  /** Starts the brokers that do not run, and resolves when they serve. They outlive this process. */
  async start(ids = this.ids) {
    await Promise.all(ids.map((id) => this.#start(this.#node(id))));
  }

  /** SIGTERM, and SIGKILL after 20 s. */
  async stop(ids = this.ids) {
    await Promise.all(ids.map((id) => this.#end(this.#node(id), 'SIGTERM')));
  }

  /** SIGKILL. */
  async kill(ids = this.ids) {
    await Promise.all(ids.map((id) => this.#end(this.#node(id), 'SIGKILL')));
  }

  /** Erases everything that stopped brokers hold: topics, offsets of groups, the cluster's own metadata. */
  async wipe(ids = this.ids) {
    for (const id of ids) await rm(this.#path(this.#node(id), 'log'), { recursive: true, force: true });
  }

  async remove() {
    await this.kill();
    await rm(this.directory, { recursive: true, force: true });
  }

  async #start(node) {
    if (await this.#pid(node)) return;
    if (!existsSync(this.#path(node, 'log'))) {
      const clusterId = await readFile(join(this.directory, 'cluster-id'), 'utf8');
      java(['kafka.tools.StorageTool', 'format', '-t', clusterId, '-c', this.#path(node, 'server.properties')]);
    }
    await using output = await open(this.#path(node, 'out'), 'w');
    const heap = this.#nodes.length > 1 ? '384m' : '512m';
    const options = [`-Xmx${heap}`, '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', `-Dlog4j2.configurationFile=${join(HERE, 'log4j2.properties')}`];
    const child = spawn('java', [...options, '-cp', `${LIB}/*`, 'kafka.Kafka', this.#path(node, 'server.properties')], { detached: true, stdio: ['ignore', output.fd, output.fd] });
    child.unref();
    await writeFile(this.#path(node, 'pid'), String(child.pid));
    for (const giveUp = performance.now() + START_TIME; ; ) {
      const said = await readFile(this.#path(node, 'out'), 'utf8');
      if (said.includes('Kafka Server started')) return;
      if (child.exitCode !== null || performance.now() > giveUp) throw new Error(`broker ${node.id} did not start:\n${said.slice(-3_000)}`);
      await sleep(100);
    }
  }

  async #end(node, signal) {
    const pid = await this.#pid(node);
    if (!pid) return;
    process.kill(pid, signal);
    for (let tenth = 0; isAlive(pid); tenth += 1) {
      if (tenth === 200) process.kill(pid, 'SIGKILL');
      await sleep(100);
    }
    await rm(this.#path(node, 'pid'), { force: true });
  }

  async #pid(node) {
    const text = await readFile(this.#path(node, 'pid'), 'utf8').catch(() => '');
    const pid = Number(text);
    return pid > 0 && isAlive(pid) ? pid : undefined;
  }

  #node(id) {
    const node = this.#nodes.find((one) => one.id === id);
    if (!node) throw new RangeError(`there is no broker ${id}`);
    return node;
  }

  #path({ id }, name) {
    return join(this.directory, `broker-${id}.${name}`);
  }
}

const java = (args) => execFileSync('java', ['-XX:TieredStopAtLevel=1', '-cp', `${LIB}/*`, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** A process that is gone but not yet waited for counts as dead. */
const isAlive = (pid) => {
  try {
    process.kill(pid, 0);
    return !execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).trim().startsWith('Z');
  } catch {
    return false;
  }
};

const properties = (directory, { id, port, controllerPort }, nodes) => {
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
