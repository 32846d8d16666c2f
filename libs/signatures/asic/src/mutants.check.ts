import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { canRun } from '#testkit/pki/foreign-programs';

import { buildJavaChecks, missingTools } from '#testkit/asic/java-checks';
import { compareMutants, type Comparison } from '#testkit/asic/mutants/compare';
import { type Entries, EXPLAINED, WIDER } from '#testkit/asic/mutants/explained';

import { ZipReader } from './zip/zip-reader.js';

/** About 70 seconds of processor time. Others, by the environment: `MUTANTS=5000 FIRST_MUTANT=2000 npm run test:asic -- mutants`. */
const COUNT = Number(process.env['MUTANTS'] ?? 2000);
const FIRST = Number(process.env['FIRST_MUTANT'] ?? 0);

const describeHere = canRun(missingTools()) ? describe : describe.skip;

describeHere('containers with one change, judged by us and by EU DSS', () => {
  let directory: string;
  let compared: readonly Comparison[];
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'asic-mutants-'));
    buildJavaChecks(directory);
    compared = await compareMutants(COUNT, directory, FIRST);
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  it('are some that both accept and many that both refuse', () => {
    const { both, neither } = figures(compared);
    expect(both).toBeGreaterThan(0);
    expect(neither).toBeGreaterThan(COUNT / 2);
  });

  it('include none that we accept and DSS refuses, but of a form that DSS does not read', async () => {
    const unexplained: object[] = [];
    for (const { title, container, dss } of compared.filter(({ accepted, dss }) => accepted && !dss.accepted)) {
      const entries = await entriesOf(container);
      if (!WIDER.some((form) => form.isOf(entries) && dss.output.includes(form.dss))) unexplained.push({ title, dss: dss.output });
    }
    expect(unexplained).toEqual([]);
  });

  it('include none that DSS accepts and we refuse, but by a rule that DSS does not have', () => {
    const stricter = compared.filter(({ accepted, dss }) => !accepted && dss.accepted);
    const unexplained = stricter.filter(({ findings }) => !findings.some((finding) => EXPLAINED.some((rule) => finding.startsWith(rule.finding))));
    expect(unexplained.map(({ title, findings }) => ({ title, findings }))).toEqual([]);
    const counted = EXPLAINED.map(({ finding, why }) => [stricter.filter(({ findings }) => findings[0]?.startsWith(finding)).length, finding, why]);
    process.stdout.write(`${JSON.stringify({ ...figures(compared), stricter: counted }, undefined, 2)}\n`);
  });
});

const entriesOf = async (container: Buffer): Promise<Entries> => {
  await using zip = await ZipReader.open(container);
  const entries = new Map<string, Buffer>();
  for (const entry of zip.entries) entries.set(entry.name, await zip.read(entry, 1 << 20));
  return entries;
};

const figures = (compared: readonly Comparison[]) => ({
  mutants: compared.length,
  both: compared.filter(({ accepted, dss }) => accepted && dss.accepted).length,
  neither: compared.filter(({ accepted, dss }) => !accepted && !dss.accepted).length,
  weAlone: compared.filter(({ accepted, dss }) => accepted && !dss.accepted).length,
  dssAlone: compared.filter(({ accepted, dss }) => !accepted && dss.accepted).length,
});
