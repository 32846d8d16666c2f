import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Certificate } from '#pki';

import { verifyContainer } from '../../verify/verify-container.js';
import { askDss, type ValidatorAnswer } from '../java-checks.js';
import { SigningKit } from '../signing-kit.js';
import { type Mutant, mutants } from './mutants.js';

/** What we and EU DSS, with the demands of AsicCheck, say about one mutant. */
export interface Comparison {
  readonly title: string;
  readonly accepted: boolean;
  /** Our findings, as `rule: message`. */
  readonly findings: readonly string[];
  readonly dss: ValidatorAnswer;
}

const HOUR = 3_600_000;

/** Judges that many mutants. `directory`: for their files, which the caller removes. A mutant that our verification throws for fails the call. */
export const compareMutants = async (count: number, directory: string, first = 0): Promise<readonly Comparison[]> => {
  // DSS judges by the machine's clock
  const kit = await SigningKit.open(Date.now() - 4 * HOUR);
  const trust = join(directory, 'root.pem');
  await writeFile(trust, Certificate.parse(kit.pki.root.certificate).pem);
  const cases: string[][] = [];
  const ours: (Mutant & { readonly findings: readonly string[]; readonly accepted: boolean })[] = [];
  for await (const mutant of mutants(kit, count, first)) {
    const file = join(directory, `${cases.length}.asice`);
    await writeFile(file, mutant.container);
    cases.push([file, '--trust', trust]);
    const report = await verifyContainer(mutant.container, { trust: kit.trust, now: kit.clock.now() }).catch((cause: unknown) => {
      throw new Error(`verification threw for mutant ${mutant.title}`, { cause });
    });
    const findings = report.findings.map(({ rule, message }) => `${rule}: ${message}`);
    ours.push({ ...mutant, findings, accepted: report.verdict === 'TOTAL_PASSED' });
  }
  const answers = await askDss(cases, directory);
  return ours.map(({ title, accepted, findings }, at) => ({ title, accepted, findings, dss: answers[at] as ValidatorAnswer }));
};
