import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { figuresOf, withFigures } from './figures.ts';
import { PARTS } from './parts.ts';
import { type EquivalentMutant, isEquivalent, type MutationReport, outcomeOf } from './report.ts';

// `npm run test:mutation [-- --write PART…]`: changes the code that decides who is let in, one place at a time, and runs its unit tests (docs/adr/0047).
// `--write` puts the counts into docs/security/mutation-tests.md. Fails when the tests notice less than 85 % of the changes of a part, or miss a change that is not in equivalent.json.

const ROOT = join(import.meta.dirname, '../..');
/** The smallest allowed share of noticed changes among all changes, the equivalent ones included. */
const LEAST = 0.85;

const PAGE = join(ROOT, 'docs/security/mutation-tests.md');
const write = process.argv.includes('--write');
const wanted = process.argv.slice(2).filter((argument) => argument !== '--write');
const unknown = wanted.filter((name) => !PARTS.some((part) => part.name === name));
if (unknown.length > 0) throw new Error(`no part ${unknown.join(', ')}; there are ${PARTS.map(({ name }) => name).join(', ')}`);

const equivalent = JSON.parse(readFileSync(join(import.meta.dirname, 'equivalent.json'), 'utf8')) as readonly EquivalentMutant[];
const percent = (part: number, whole: number): string => `${((part / whole) * 100).toFixed(1)} %`;

for (const { name } of PARTS.filter((part) => wanted.length === 0 || wanted.includes(part.name))) {
  const reportFile = join(ROOT, `.cache/mutation/${name}.json`);
  rmSync(reportFile, { force: true });
  const began = performance.now();
  const { status } = spawnSync(process.execPath, ['node_modules/@stryker-mutator/core/bin/stryker.js', 'run', 'lab/mutation/stryker.config.js'], {
    cwd: ROOT,
    env: { ...process.env, MUTATION_PART: name },
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error(`StrykerJS failed on ${name}`);
  const report = JSON.parse(readFileSync(reportFile, 'utf8')) as MutationReport;
  const { noticed, survivors } = outcomeOf(report);
  const open = survivors.filter((survivor) => !isEquivalent(survivor, equivalent));
  const all = noticed + survivors.length;
  console.log(
    `${name}: ${noticed} of ${all} noticed, ${percent(noticed, all)}; ${survivors.length - open.length} equivalent; ${Math.round((performance.now() - began) / 1_000)} s`,
  );
  for (const { file, line, original, replacement } of open) console.log(`  ${file}:${line}  ${original}  →  ${replacement}`);
  if (write) writeFileSync(PAGE, withFigures(readFileSync(PAGE, 'utf8'), figuresOf(report, equivalent)));
  if (open.length > 0 || noticed / all < LEAST) process.exitCode = 1;
}
