import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { loadPlatformSettings, PlatformSettings, settingsTable } from '#service/config';
import { TestCa } from '#testkit/engine-access/test-ca';

import { buildProgram } from '../../cli/src/program.js';

const ROOT = join(import.meta.dirname, '../../..');
const PRODUCTION = join(ROOT, 'deploy/production');
const UNITS = join(PRODUCTION, 'systemd');
/** Where docs/operator.md puts the repository. */
const INSTALLED = '/opt/countersign';

const run = promisify(execFile);
/** The output of a command that may fail, with its exit code. */
const outcome = (command: string, parameters: readonly string[]) =>
  run(command, [...parameters], { env: { PATH: process.env['PATH'] ?? '' } }).then(
    ({ stdout, stderr }) => ({ code: 0, said: stdout + stderr }),
    (error: { code: unknown; stdout: string; stderr: string }) => ({ code: error.code, said: error.stdout + error.stderr }),
  );
/** Whether a program is here. In CI it has to be: its tests fail there in place of being skipped. */
const installed = (command: string): boolean => {
  if (process.env['CI']) return true;
  try {
    execFileSync('sh', ['-c', `command -v ${command}`]);
    return true;
  } catch {
    return false;
  }
};
const valuesOf = (unit: string, key: string): readonly string[] =>
  [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value);

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'deploy-'));
});
afterEach(() => rm(directory, { recursive: true }));

describe('deploy/production', () => {
  it('has settings that the service takes, each of a name that it knows', async () => {
    const lines = (await readFile(join(PRODUCTION, 'countersign.env'), 'utf8')).split('\n').filter((line) => /^[A-Z]/.test(line));
    const environment = Object.fromEntries(lines.map((line) => line.split('=', 2) as [string, string]));
    const table = settingsTable(PlatformSettings);
    for (const name of Object.keys(environment)) expect(table).toContain(`| \`${name}\` |`);
    expect(loadPlatformSettings(environment)).toMatchObject({ environment: 'production', host: '127.0.0.1' });
  });

  it('has settings of trust services that a guarded service takes, once they are no comments any more', async () => {
    const settings = await readFile(join(PRODUCTION, 'countersign.env'), 'utf8');
    const lines = settings
      .replaceAll(/^#(?=[A-Z_]+=)/gm, '')
      .split('\n')
      .filter((line) => /^[A-Z]/.test(line));
    const environment = Object.fromEntries(lines.map((line) => line.split('=', 2) as [string, string]));
    expect(loadPlatformSettings(environment)).toMatchObject({ caCmpUrl: 'https://ca.example/cmp', tsaUrls: ['https://tsa.example'] });
  });

  it('starts programs that exist, and commands that the command line has', async () => {
    for (const name of await readdir(UNITS)) {
      const unit = await readFile(join(UNITS, name), 'utf8');
      for (const command of valuesOf(unit, 'ExecStart')) {
        const [node = '', ...rest] = command.split(' ');
        // The flags are Node's own.
        const [script = '', ...words] = rest.slice(rest.findIndex((word) => !word.startsWith('--')));
        expect(existsSync(node.replace(INSTALLED, ROOT))).toBe(true);
        expect(existsSync(join(ROOT, script.replace(/^dist\//, '').replace(/\.js$/, '.ts')))).toBe(true);
        if (!script.includes('/cli/')) continue;
        let known: { commands: readonly { name(): string; commands: never[]; options: readonly { long?: string }[] }[] } = buildProgram() as never;
        for (const word of words.slice(
          0,
          words.findIndex((each) => each.startsWith('--')),
        )) {
          const found = known.commands.find((each) => each.name() === word);
          expect([name, word, found?.name()]).toEqual([name, word, word]);
          known = found as never;
        }
        const options = (known as never as { options: readonly { long?: string }[] }).options.map(({ long }) => long);
        for (const word of words.filter((each) => each.startsWith('--'))) expect(options).toContain(word);
      }
    }
  });

  it('has a service for each timer', async () => {
    const units = await readdir(UNITS);
    for (const timer of units.filter((name) => name.endsWith('.timer'))) expect(units).toContain(timer.replace('.timer', '.service'));
  });

  it('starts the service after a scavenge only when the scavenge has stopped it', async () => {
    const unit = await readFile(join(UNITS, 'countersign-scavenge.service'), 'utf8');
    const [before = ''] = valuesOf(unit, 'ExecStartPre');
    const [after = ''] = valuesOf(unit, 'ExecStopPost');
    expect(valuesOf(unit, 'Conflicts')).toEqual([]);
    const script = (command: string): string => command.replace(/^\+\/bin\/sh -c '(.*)'$/, '$1').replaceAll('/run/countersign-scavenge', directory);
    const systemctl = join(directory, 'systemctl');
    const calls = async (isActive: boolean): Promise<string> => {
      const log = join(directory, `calls-${isActive}`);
      await writeFile(systemctl, `#!/bin/sh\necho "$@" >> ${log}\n[ "$1" != is-active ] || exit ${isActive ? 0 : 3}\n`, { mode: 0o755 });
      for (const command of [before, after]) await run('/bin/sh', ['-c', script(command)], { env: { PATH: `${directory}:/usr/bin:/bin` } });
      return readFile(log, 'utf8');
    };

    expect(await calls(false)).toBe('is-active --quiet countersign.service\n');
    expect(await calls(true)).toBe('is-active --quiet countersign.service\nstop countersign.service\nstart --no-block countersign.service\n');
  });

  (installed('systemd-analyze') ? it : it.skip)(
    'has units that systemd takes without a warning, each with an exposure of 2.0 at most',
    async () => {
      const units = await readdir(UNITS);
      for (const name of units) await writeFile(join(directory, name), (await readFile(join(UNITS, name), 'utf8')).replaceAll(INSTALLED, ROOT));
      const paths = units.map((name) => join(directory, name));
      expect(await outcome('systemd-analyze', ['verify', '--man=no', ...paths])).toEqual({ code: 0, said: '' });
      for (const path of paths.filter((each) => each.endsWith('.service'))) {
        const security = await outcome('systemd-analyze', ['security', '--offline=true', '--no-pager', '--threshold=20', path]);
        expect([path, security.code]).toEqual([path, 0]);
      }
    },
    60_000,
  );

  (installed('nginx') ? it : it.skip)(
    'has a configuration that nginx takes',
    async () => {
      await using ca = await TestCa.make();
      const { certFile, keyFile } = await ca.issue('proxy');
      const server = (await readFile(join(PRODUCTION, 'nginx.conf'), 'utf8'))
        .replaceAll(/ssl_certificate +\S+;/g, `ssl_certificate ${certFile};`)
        .replaceAll(/ssl_certificate_key +\S+;/g, `ssl_certificate_key ${keyFile};`)
        .replaceAll('/var/log/nginx', directory);
      const path = join(directory, 'nginx.conf');
      await writeFile(path, `pid ${directory}/pid;\nevents {}\nhttp {\n${server}\n}\n`);
      const { code, said } = await outcome('nginx', ['-t', '-q', '-c', path, '-e', 'stderr', '-p', directory]);
      expect([code, said.replaceAll(/^.*could not build optimal.*$/gm, '').trim()]).toEqual([0, expect.not.stringContaining('[emerg]')]);
    },
    60_000,
  );
});
