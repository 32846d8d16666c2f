import { execFile } from 'node:child_process';
import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../../..');
/** Below the root: the packages are found there. */
const NEXT = join(ROOT, '.cache/next-release');

/** The setting of the next release that makes it write what the release before does not know. Off by default, as docs/operator.md promises. */
export const NEW_EVENTS = 'NEW_SESSION_EVENTS';
const IS_ON = `process.env.${NEW_EVENTS} === 'true'`;

/** The changes of the next release, in compiled files: a new type of event, and a version 3 of the events of sessions. */
const CHANGES: readonly { readonly file: string; readonly from: string; readonly to: string }[] = [
  { file: 'domain/session.events.js', from: 'knownEvents(2, {', to: 'knownEvents(3, { SessionNoted: true,' },
  { file: 'domain/session.evolve.js', from: "case 'RedirectIssued':", to: "case 'SessionNoted': return session;\n        case 'RedirectIssued':" },
  {
    file: 'domain/session.decider.js',
    from: "return [{ type: 'SessionScanned', data: { ...scanned, at: now } }];",
    to: `if (${IS_ON}) return [{ type: 'SessionScanned', data: { ...scanned, scannedWith: 'camera', at: now } }, { type: 'SessionNoted', data: { at: now } }];
            return [{ type: 'SessionScanned', data: { ...scanned, at: now } }];`,
  },
  { file: 'repositories/session-envelope.js', from: 'v: SESSION_EVENTS.version', to: `v: ${IS_ON} ? 3 : 2` },
  {
    file: 'integration-events.js',
    from: "SessionScanned: 'session.scanned',",
    to: "SessionScanned: 'session.scanned', SessionNoted: 'session.noted',",
  },
];

/** Makes the next release from the build of this one, and answers its folder. A change that fits the code no more is an error. */
export const makeNextRelease = async (): Promise<string> => {
  rmSync(NEXT, { recursive: true, force: true });
  for (const part of ['package.json', 'dist/apps', 'dist/libs', 'dist/examples']) cpSync(join(ROOT, part), join(NEXT, part), { recursive: true });
  symlinkSync(join(ROOT, 'dist/pages'), join(NEXT, 'dist/pages'));
  for (const { file, from, to } of CHANGES) {
    const path = join(NEXT, 'dist/libs/domain/session/src', file);
    const [before, after, ...more] = readFileSync(path, 'utf8').split(from);
    if (before === undefined || after === undefined || more.length > 0) throw new Error(`${file} must hold once: ${from}`);
    writeFileSync(path, before + to + after);
  }
  await run(process.execPath, [join(ROOT, 'tools/services/bundle-services.ts'), NEXT]);
  // The build leaves out commands that are seldom needed.
  const commands = join(NEXT, 'dist/apps/cli/src/store');
  await run(join(ROOT, 'node_modules/.bin/esbuild'), [join(ROOT, 'apps/cli/src/store/dead-letters.ts'), `--outdir=${commands}`, '--log-level=error']);
  return NEXT;
};

/** A command of the next release's command line, with the settings of a service. Answers what `--json` prints. */
export const runNext = async (settings: Readonly<Record<string, string>>, ...command: readonly string[]): Promise<unknown> => {
  const main = join(NEXT, 'dist/apps/cli/src/main.js');
  const env = { PATH: process.env['PATH'], ...settings };
  const { stdout } = await run(process.execPath, [main, ...command, '--json'], { env });
  return JSON.parse(stdout);
};
