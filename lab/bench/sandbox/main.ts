import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';

import { writeChapter } from '../chapters.js';
import { JsonClient } from '../json-client.js';
import { RelyingParty } from '../relying-party.js';
import { machine, table } from '../report.js';
import { CALLBACK, type Readiness, StartedSandbox } from './started-sandbox.js';

/** `npm run bench -- sandbox`: how soon the sandbox of the package is ready, and what memory it holds. */
const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    /** Starts after the first one. */
    starts: { type: 'string', default: '9' },
    /** Writes the chapter to docs/benchmarks.md. */
    write: { type: 'boolean', default: false },
  },
});

/** With compiled code from an earlier start: until it is ready at the most, in milliseconds, and bytes. */
const TARGET = { processorMilliseconds: 1_500, memory: 150_000_000 };
const LOGINS = 100;

const run = promisify(execFile);

/** The package, packed and installed alone in the folder. Answers its program and the bytes of the tarball. */
const install = async (folder: string): Promise<{ readonly program: string; readonly bytes: number }> => {
  const { stdout } = await run('npm', ['pack', resolve('libs/clients/sandbox'), '--silent', '--ignore-scripts=false'], { cwd: folder });
  const tarball = stdout.trim();
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--silent', `./${tarball}`], { cwd: folder });
  const { size: bytes } = await stat(join(folder, tarball));
  return { program: join(folder, 'node_modules/@countersign/sandbox/countersign-sandbox.cjs'), bytes };
};

const readinessOf = async (program: string): Promise<Readiness> => {
  const sandbox = await StartedSandbox.start(program);
  await sandbox.stop();
  return sandbox.readiness;
};

/** Logins on the hosted page, one after the other, each confirmed by the same phone. */
const logIn = async ({ printed: { url, clients } }: StartedSandbox, count: number): Promise<void> => {
  const server = { url, cpuSeconds: () => undefined };
  const [{ clientId, clientSecret }] = clients;
  const relyingParty = new RelyingParty(server, clientId, clientSecret, CALLBACK);
  const phone = new JsonClient(url, {});
  for (let done = 0; done < count; done += 1) {
    const verifier = randomBytes(32).toString('base64url');
    const token = await relyingParty.handoffToken(createHash('sha256').update(verifier).digest('base64url'));
    const { redirect } = await phone.post<{ redirect: string }>('/sandbox/v1/phones/ok/login', {
      url: `${url}/login/?t=${encodeURIComponent(token)}`,
    });
    await relyingParty.exchange(new URL(redirect).searchParams.get('code') ?? '', verifier);
  }
};

/** The bytes after one login and after many. */
const memoryAfterLogins = async (program: string): Promise<readonly [number, number]> => {
  const sandbox = await StartedSandbox.start(program);
  await logIn(sandbox, 1);
  const afterOne = sandbox.memory();
  await logIn(sandbox, LOGINS - 1);
  const afterMany = sandbox.memory();
  await sandbox.stop();
  return [afterOne, afterMany];
};

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
const whole = (value: number): string => Math.round(value).toLocaleString('en');
const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);

const [loadBefore = 0] = loadavg();
const folder = await mkdtemp(join(tmpdir(), 'countersign-sandbox-'));
try {
  const { program, bytes } = await install(folder);
  const first = await readinessOf(program);
  const later: Readiness[] = [];
  while (later.length < Number(options.starts)) later.push(await readinessOf(program));
  const [afterOne, afterMany] = await memoryAfterLogins(program);
  const ofLater = (figure: keyof Readiness): number => median(later.map((each) => each[figure]));
  const row = (name: string, figure: (name: keyof Readiness) => number): readonly string[] => [
    name,
    whole(figure('milliseconds')),
    whole(figure('processorMilliseconds')),
    megabytes(figure('memory')),
  ];
  const text = [
    `Made by \`npm run bench -- sandbox --write\`: the tarball of \`@countersign/sandbox\`, ${megabytes(bytes)} MB, installed alone in an empty folder. A start lasts from the call of the program until it prints that it answers requests. The`,
    `first one compiles the code and keeps it within the package; of the ${later.length} later ones, the table has the medians. The memory is what the process holds at that moment (VmRSS), with the pages of Node's own program file.`,
    '',
    table(
      ['start', 'ready after ms', 'ms of processor time', 'MB of memory'],
      [row('the first one', (figure) => first[figure]), row('a later one', ofLater)],
    ),
    '',
    `After one login it holds ${megabytes(afterOne)} MB, after ${LOGINS} logins ${megabytes(afterMany)} MB. The targets are for a later start: 1,500 ms and 150 MB. The command fails above them, in processor time and memory.`,
    '',
    `${machine()}. Node ${process.versions.node}. ${new Date().toISOString().slice(0, 10)}. Load average before the run ${loadBefore.toFixed(1)}, after it ${(loadavg()[0] ?? 0).toFixed(1)}.`,
  ].join('\n');
  if (options.write) await writeChapter('Start of the sandbox', text);
  process.stdout.write(`${text}\n`);
  const above = Object.entries(TARGET).filter(([figure, target]) => ofLater(figure as keyof Readiness) > target);
  if (above.length > 0) throw new Error(`the sandbox is above its target: ${above.map(([figure]) => figure).join(', ')}`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
