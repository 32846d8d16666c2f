import { spawn } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import { get as getPlain } from 'node:http';
import { get as getByTls } from 'node:https';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { endProcess } from '../../processes/process-state.ts';
import { reservePorts } from '../../processes/reserve-port.ts';
import { PROGRAMS } from './programs.ts';

/** Milliseconds. */
const START_TIME = 180_000;

export interface ControlPlaneOptions {
  /** Empty; removed at the end. */
  readonly directory: string;
  /** PEM files for `localhost` and 127.0.0.1. */
  readonly certificate: { readonly caFile: string; readonly certFile: string; readonly keyFile: string };
}

/**
 * A Kubernetes API server with etcd, the controllers and the scheduler, as processes of this machine on loopback. kwok plays the kubelet of nodes
 * that are no more than objects: it calls pods ready and runs no container. The processes end with the terminal that started them.
 */
export class ControlPlane {
  /** For KUBECONFIG: an administrator of the cluster. */
  readonly kubeconfig: string;
  readonly #directory: string;
  readonly #caFile: string;
  readonly #names: string[] = [];

  private constructor(directory: string, caFile: string) {
    this.#directory = directory;
    this.#caFile = caFile;
    this.kubeconfig = join(directory, 'kubeconfig');
  }

  /** Resolves when the API server is ready and the controllers and the scheduler answer. */
  static async start({ directory, certificate }: ControlPlaneOptions): Promise<ControlPlane> {
    const plane = new ControlPlane(directory, certificate.caFile);
    try {
      await plane.#start(certificate);
    } catch (error) {
      await plane.#end();
      throw error;
    }
    return plane;
  }

  async #start({ caFile, certFile, keyFile }: ControlPlaneOptions['certificate']): Promise<void> {
    const [store, peers, api, controllers, scheduler] = (await reservePorts(5)) as [number, number, number, number, number];
    const token = randomBytes(16).toString('hex');
    const file = (name: string): string => join(this.#directory, name);
    await mkdir(this.#directory, { recursive: true });
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    await writeFile(file('accounts.pub'), publicKey.export({ type: 'spki', format: 'pem' }));
    await writeFile(file('accounts.key'), privateKey.export({ type: 'sec1', format: 'pem' }));
    await writeFile(file('tokens.csv'), `${token},admin,admin,system:masters\n`);
    await writeFile(this.kubeconfig, kubeconfigOf(api, token, caFile));
    const own = { 'tls-cert-file': certFile, 'tls-private-key-file': keyFile, 'bind-address': '127.0.0.1' };
    const ofController = { kubeconfig: this.kubeconfig, 'leader-elect': 'false', ...own };

    await this.#run(PROGRAMS.etcd, {
      'data-dir': file('etcd'),
      'listen-client-urls': `http://127.0.0.1:${store}`,
      'advertise-client-urls': `http://127.0.0.1:${store}`,
      'listen-peer-urls': `http://127.0.0.1:${peers}`,
      'initial-advertise-peer-urls': `http://127.0.0.1:${peers}`,
      'initial-cluster': `default=http://127.0.0.1:${peers}`,
      // The data need not survive a crash of the machine.
      'unsafe-no-fsync': 'true',
    });
    await this.#answers(`http://127.0.0.1:${store}/health`);
    await this.#run(PROGRAMS['kube-apiserver'], {
      ...own,
      'etcd-servers': `http://127.0.0.1:${store}`,
      'secure-port': String(api),
      'service-cluster-ip-range': '10.96.0.0/16',
      'service-account-issuer': 'https://kubernetes.default.svc',
      'service-account-key-file': file('accounts.pub'),
      'service-account-signing-key-file': file('accounts.key'),
      'token-auth-file': file('tokens.csv'),
      'authorization-mode': 'RBAC',
      'advertise-address': '127.0.0.1',
      'endpoint-reconciler-type': 'none',
    });
    await this.#answers(`https://127.0.0.1:${api}/readyz`);
    await this.#run(PROGRAMS['kube-controller-manager'], {
      ...ofController,
      'secure-port': String(controllers),
      'root-ca-file': caFile,
      'service-account-private-key-file': file('accounts.key'),
      // The autoscaler looks at its metrics every second, and at those of new pods at once.
      'horizontal-pod-autoscaler-sync-period': '1s',
      'horizontal-pod-autoscaler-initial-readiness-delay': '0s',
      'horizontal-pod-autoscaler-cpu-initialization-period': '1s',
    });
    await this.#run(PROGRAMS['kube-scheduler'], { ...ofController, 'secure-port': String(scheduler) });
    await this.#run(PROGRAMS.kwok, {
      kubeconfig: this.kubeconfig,
      'manage-all-nodes': 'true',
      cidr: '10.1.0.0/16',
      'node-ip': '10.2.0.1',
      // Without it the nodes lose their leases now and then.
      'node-lease-duration-seconds': '40',
    });
    await this.#answers(`https://127.0.0.1:${controllers}/healthz`);
    await this.#answers(`https://127.0.0.1:${scheduler}/healthz`);
  }

  /** Ends all processes and removes the directory. */
  async remove(): Promise<void> {
    await this.#end();
    await rm(this.#directory, { recursive: true, force: true });
  }

  /** Ends the store last. All are killed: their data is not needed. */
  async #end(): Promise<void> {
    for (const name of this.#names.toReversed()) await endProcess(join(this.#directory, `${name}.pid`), 'SIGKILL');
  }

  async #run(program: string, options: Readonly<Record<string, string>>): Promise<void> {
    const name = basename(program);
    await using log = await open(join(this.#directory, `${name}.log`), 'w');
    const given = Object.entries(options).map(([option, value]) => `--${option}=${value}`);
    const child = spawn(program, given, { cwd: this.#directory, stdio: ['ignore', log.fd, log.fd], env: { HOME: this.#directory } });
    await once(child, 'spawn');
    child.unref();
    this.#names.push(name);
    await writeFile(join(this.#directory, `${name}.pid`), String(child.pid));
  }

  /** Resolves when an address answers with 200. */
  async #answers(url: string): Promise<void> {
    const ca = await readFile(this.#caFile);
    for (const giveUpAt = performance.now() + START_TIME; !(await isAnswering(url, ca)); await sleep(100))
      if (performance.now() > giveUpAt) throw new Error(`${url} does not answer:\n${await this.#endOfLogs()}`);
  }

  async #endOfLogs(): Promise<string> {
    const logs = this.#names.map(async (name) => `${name}: ${(await readFile(join(this.#directory, `${name}.log`), 'utf8')).slice(-1_500)}`);
    return (await Promise.all(logs)).join('\n');
  }
}

const isAnswering = (url: string, ca: Buffer): Promise<boolean> => {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const asked = url.startsWith('https:') ? getByTls(url, { ca, timeout: 2_000 }) : getPlain(url, { timeout: 2_000 });
  asked.on('timeout', () => asked.destroy());
  asked.on('error', () => resolve(false));
  asked.on('response', (answer) => {
    answer.resume();
    resolve(answer.statusCode === 200);
  });
  return promise;
};

const kubeconfigOf = (port: number, token: string, caFile: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'local', cluster: { server: `https://127.0.0.1:${port}`, 'certificate-authority': caFile } }],
    users: [{ name: 'admin', user: { token } }],
    contexts: [{ name: 'local', context: { cluster: 'local', user: 'admin' } }],
    'current-context': 'local',
  });
