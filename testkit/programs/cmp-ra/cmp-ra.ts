import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { CMP_RA_CLASS_PATH } from './build.ts';

interface SharedSecret {
  readonly reference: string;
  readonly secret: string;
}

/** How the registration authority and its clients prove who they are, as paths: a key store in PKCS#12, and PEM certificates that the clients' ones lead to. */
interface SigningParties {
  readonly keyStore: string;
  readonly password: string;
  readonly clients: string;
}

export interface CmpRaOptions {
  /** For its settings. */
  readonly directory: string;
  readonly clients: SharedSecret | SigningParties;
  /** The authority that it passes requests on to, by CMP. */
  readonly authority: SharedSecret & { readonly url: string };
  /** PEM file: the roots that issued certificates must lead to. */
  readonly enrolmentTrust: string;
  /** Whether clients have to poll for the certificate. */
  readonly delay?: boolean;
}

/** The CMP RA component of Siemens as a process of this machine (`CmpRa.java`), in front of a certificate authority. */
export class CmpRa implements AsyncDisposable {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
    private readonly lines: string[],
  ) {}

  /** Resolves when it listens. Throws with its output when it ends before. */
  static async start({ directory, clients, authority, enrolmentTrust, delay = false }: CmpRaOptions): Promise<CmpRa> {
    const settings = {
      'upstream.url': authority.url,
      'upstream.reference': authority.reference,
      'upstream.secret': authority.secret,
      'enrolment.trust': enrolmentTrust,
      delay,
      ...Object.fromEntries(Object.entries(clients).map(([name, value]) => [`downstream.${name}`, String(value)])),
    };
    const file = join(directory, 'cmp-ra.properties');
    await writeFile(
      file,
      Object.entries(settings).map(([name, value]) => `${name}=${value}\n`),
      { mode: 0o600 },
    );
    const options = ['-Xmx128m', '-XX:TieredStopAtLevel=1', '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn'];
    const child = spawn('java', [...options, '-cp', CMP_RA_CLASS_PATH, 'countersign.cmpra.CmpRa', file], { stdio: ['ignore', 'pipe', 'pipe'] });
    const lines: string[] = [];
    const listening = Promise.withResolvers<string>();
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        lines.push(...chunk.toString().trim().split('\n'));
        const [, url] = lines.map((line) => /^listening on (.*)$/.exec(line)).find((found) => found !== null) ?? [];
        if (url !== undefined) listening.resolve(url);
      });
    child.on('error', listening.reject);
    child.on('exit', () => listening.reject(new Error(`the registration authority ended: ${lines.join('\n')}`)));
    return new CmpRa(child, await listening.promise, lines);
  }

  /** The certificate profiles that its messages to the authority have named, one for each message; `null` is none. */
  get passedOn(): readonly string[] {
    return this.lines.flatMap((line) => /^passed on, profile (.*)$/.exec(line)?.slice(1) ?? []);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill();
    await ended;
  }
}
