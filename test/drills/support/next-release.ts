import { execFile } from 'node:child_process';
import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../../..');
/** Below the root: the packages are found there. */
const NEXT = join(ROOT, '.cache/next-release');
/** The compiled library of sessions. */
const SESSION = 'dist/libs/domain/session/src';

/** The setting of the next release that makes it write what the release before does not know. Off by default, as docs/operator.md promises. */
export const NEW_EVENTS = 'NEW_SESSION_EVENTS';
const IS_ON = `process.env.${NEW_EVENTS} === 'true'`;

interface Change {
  readonly file: string;
  readonly from: string | RegExp;
  readonly to: string | ((found: string) => string);
}

/** The changes of the next release, in compiled files: a new type of event, and the next version of the events of sessions. */
const CHANGES: readonly Change[] = [
  {
    file: 'domain/session.events.js',
    from: /knownEvents\(\d+, \{/,
    to: (found) => `knownEvents(${Number(/\d+/.exec(found)?.[0]) + 1}, { SessionNoted: true,`,
  },
  { file: 'domain/session.evolve.js', from: "case 'RedirectIssued':", to: "case 'SessionNoted': return session;\n        case 'RedirectIssued':" },
  {
    file: 'domain/session.decider.js',
    from: "return [{ type: 'SessionScanned', data: { ...scanned, at: now } }];",
    to: `if (${IS_ON}) return [{ type: 'SessionScanned', data: { ...scanned, scannedWith: 'camera', at: now } }, { type: 'SessionNoted', data: { at: now } }];
            return [{ type: 'SessionScanned', data: { ...scanned, at: now } }];`,
  },
  {
    file: 'repositories/session-envelope.js',
    from: "v: session.status === 'NONE' ? SESSION_EVENTS.version :",
    to: `v: ${IS_ON} ? SESSION_EVENTS.version : session.status === 'NONE' ? SESSION_EVENTS.version - 1 :`,
  },
  {
    file: 'integration-events.js',
    from: "SessionScanned: 'session.scanned',",
    to: "SessionScanned: 'session.scanned', SessionNoted: 'session.noted',",
  },
];

/** The files of the next release that differ from this build. A change that fits the code no more is an error. */
export const changedFiles = (): readonly { readonly file: string; readonly text: string }[] =>
  CHANGES.map(({ file, from, to }) => {
    const text = readFileSync(join(ROOT, SESSION, file), 'utf8');
    const found = text.split(from).length - 1;
    if (found !== 1) throw new Error(`${file} must hold once, and holds ${found} times: ${from}`);
    return { file, text: text.replace(from, to as string) };
  });

/** Makes the next release from the build of this one, and answers its folder. A change that fits the code no more is an error. */
export const makeNextRelease = async (): Promise<string> => {
  rmSync(NEXT, { recursive: true, force: true });
  for (const part of ['package.json', 'dist/apps', 'dist/libs', 'dist/examples']) cpSync(join(ROOT, part), join(NEXT, part), { recursive: true });
  symlinkSync(join(ROOT, 'dist/pages'), join(NEXT, 'dist/pages'));
  for (const { file, text } of changedFiles()) writeFileSync(join(NEXT, SESSION, file), text);
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
