import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const ROOT = join(import.meta.dirname, '../..');
/** A file, and what it imports: a path of the tree, or a package. */
type Break = readonly [file: string, imported: string];

/** For each rule of `.dependency-cruiser.js`: imports that it forbids. */
const BREAKS: Readonly<Record<string, readonly Break[]>> = {
  'no-cycles': [['libs/kernel/src/cycle/one.ts', 'libs/kernel/src/cycle/other.ts']],
  'libs-meet-at-the-index': [
    ['libs/domain/session/src/past-the-index.ts', 'libs/kernel/src/secret.ts'],
    ['libs/domain/session/src/past-the-index-of-an-engine.ts', 'libs/engines/event-store/src/event-log.ts'],
    ['libs/domain/session/src/past-the-index-beside.ts', 'libs/domain/identity/src/device.ts'],
  ],
  'all-others-use-libs-by-the-index': [
    ['apps/registry/src/past-the-index.ts', 'libs/kernel/src/secret.ts'],
    ['testkit/session/past-the-index.ts', 'libs/domain/session/src/session.ts'],
    ['tools/start/past-the-index.ts', 'libs/service/config/src/settings.ts'],
  ],
  'the-test-kit-is-for-tests': [
    ['libs/domain/session/src/uses-the-test-kit.ts', 'testkit/session/double.ts'],
    ['apps/registry/src/uses-the-test-kit.ts', 'testkit/session/double.ts'],
    ['apps/registry/src/uses-the-lab.ts', 'lab/bench/load.ts'],
    ['apps/registry/src/uses-tools.ts', 'tools/start/build.ts'],
  ],
  'telemetry-is-on-the-ground': [['libs/telemetry/src/imports-an-engine.ts', 'libs/engines/event-store/src/index.ts']],
  'what-others-install-knows-no-service': [
    ['libs/web-page/src/imports-an-engine.ts', 'libs/engines/event-store/src/index.ts'],
    ['libs/clients/software-phone/src/imports-the-domain.ts', 'libs/domain/session/src/index.ts'],
    ['libs/clients/software-phone/src/imports-a-service.ts', 'libs/service/http/src/index.ts'],
  ],
  'engines-know-no-domain': [
    ['libs/engines/event-store/src/imports-the-domain.ts', 'libs/domain/session/src/index.ts'],
    ['libs/engines/event-store/src/imports-a-service.ts', 'libs/service/config/src/index.ts'],
  ],
  'the-domain-knows-no-service': [
    ['libs/domain/session/src/imports-settings.ts', 'libs/service/config/src/index.ts'],
    ['libs/domain/session/src/imports-a-client.ts', 'libs/clients/software-phone/src/index.ts'],
  ],
  'libs-never-import-apps': [
    ['libs/service/http/src/imports-an-app.ts', 'apps/registry/src/app.ts'],
    ['libs/engines/event-store/src/imports-a-tool.ts', 'tools/start/build.ts'],
  ],
  'apps-never-import-apps': [['apps/registry/src/imports-an-app.ts', 'apps/signing/src/app.ts']],
  'signatures-know-no-service': [['libs/signatures/asic/src/imports-an-engine.ts', 'libs/engines/event-store/src/index.ts']],
  'the-command-line-loads-stores-on-demand': [['apps/cli/src/imports-a-store.ts', 'apps/cli/src/store/doctor.ts']],
  'the-command-line-loads-few-libs': [['apps/cli/src/imports-the-domain.ts', 'libs/domain/session/src/index.ts']],
  'these-libs-reach-no-store': [['libs/engines/egress/src/imports-a-store.ts', 'libs/engines/event-store/src/index.ts']],
  'the-sdk-stands-alone': [['libs/clients/relying-party/src/imports-the-kernel.ts', 'libs/kernel/src/index.ts']],
  'the-device-client-stands-alone': [['libs/clients/device/src/imports-node.ts', 'node:fs']],
  'the-helpers-of-the-sandbox-stand-alone': [['libs/clients/sandbox/src/imports-a-runner.ts', 'vitest']],
  'the-calls-of-pages-stand-alone': [['libs/web-page/calls/src/imports-the-kernel.ts', 'libs/kernel/src/index.ts']],
  'a-relying-party-knows-the-sdk-only': [['examples/relying-party/src/imports-the-kernel.ts', 'libs/kernel/src/index.ts']],
  'the-kernel-stands-alone': [['libs/kernel/src/imports-telemetry.ts', 'libs/telemetry/src/index.ts']],
  'the-domain-is-pure': [
    ['libs/domain/session/src/domain/imports-a-store.ts', 'libs/engines/event-store/src/index.ts'],
    ['libs/domain/session/src/domain/imports-files.ts', 'node:fs'],
  ],
  'use-cases-know-ports-only': [
    ['libs/domain/session/src/use-cases/imports-an-adapter.ts', 'libs/domain/session/src/status/sqlite/status.ts'],
    ['libs/domain/session/src/repositories/imports-nest.ts', '@nestjs/common'],
  ],
  'libs-do-not-know-the-platform': [['libs/service/http/src/imports-the-platform.ts', 'libs/service/platform/src/index.ts']],
  'nest-is-a-thin-face': [['libs/domain/session/src/imports-nest.ts', '@nestjs/common']],
  'sqlite-in-its-folder': [
    ['libs/domain/session/src/imports-sqlite.ts', 'node:sqlite'],
    ['apps/registry/src/imports-sqlite.ts', 'libs/engines/sqlite/src/index.ts'],
  ],
  'drivers-in-their-folders': [
    ['libs/engines/event-store/src/imports-a-driver.ts', '@eventstore/db-client'],
    ['apps/registry/src/imports-a-driver.ts', 'pg'],
  ],
  'queries-in-read-models': [['libs/domain/session/src/use-cases/queries.ts', 'kysely']],
  'pino-in-telemetry': [['apps/registry/src/logs.ts', 'pino']],
  'declared-dependencies-only': [['apps/registry/src/undeclared.ts', 'undeclared']],
  'everything-resolves': [['apps/registry/src/unresolved.ts', './nowhere.js']],
};

/** Of a run of dependency-cruiser. */
interface Report {
  readonly summary: {
    readonly violations: readonly { readonly from: string; readonly rule: { readonly name: string } }[];
    readonly ruleSetUsed: { readonly forbidden: readonly { readonly name: string }[] };
  };
}

const breaks = Object.values(BREAKS).flat();
const isPath = (imported: string): boolean => /^(apps|libs|examples|testkit|lab|tools)\//.test(imported);
const isPackage = (imported: string): boolean => !isPath(imported) && !/^(node:|\.)/.test(imported);
const specifierFrom = (file: string, path: string): string => `./${relative(dirname(file), path)}`.replace(/\.ts$/, '.js');

describe('a dependency rule', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dependency-rules-'));
  let report: Report;

  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };

  beforeAll(() => {
    const packages = [...new Set(breaks.map(([, imported]) => imported).filter(isPackage))];
    for (const name of packages) {
      write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', main: 'index.js' }));
      write(`node_modules/${name}/index.js`, '');
    }
    const dependencies = Object.fromEntries(packages.filter((name) => name !== 'undeclared').map((name) => [name, '1.0.0']));
    write('package.json', JSON.stringify({ name: 'tree', type: 'module', dependencies }));
    write('tsconfig.json', '{}');
    for (const [, path] of breaks) if (isPath(path)) write(path, 'export {};\n');
    for (const [file, imported] of breaks) write(file, `import '${isPath(imported) ? specifierFrom(file, imported) : imported}';\n`);
    write('libs/kernel/src/cycle/other.ts', "import './one.js';\n");
    cpSync(join(ROOT, '.dependency-cruiser.js'), join(folder, 'rules.js'));
    const program = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [program, '--config', 'rules.js', '--output-type', 'json', 'apps', 'libs', 'examples', 'testkit', 'lab', 'tools'],
      { cwd: folder, encoding: 'utf8', maxBuffer: 1e8 },
    );
    expect(stderr).toBe('');
    report = JSON.parse(stdout) as Report;
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('has a case here', () => {
    expect(report.summary.ruleSetUsed.forbidden.map(({ name }) => name).toSorted()).toEqual(Object.keys(BREAKS).toSorted());
  });

  it.each(Object.entries(BREAKS).flatMap(([rule, cases]) => cases.map((one) => [rule, ...one] as const)))(
    '%s: %s may not import %s',
    (rule, file) => {
      expect(report.summary.violations.filter(({ from }) => from === file).map(({ rule: broken }) => broken.name)).toContain(rule);
    },
  );
});
