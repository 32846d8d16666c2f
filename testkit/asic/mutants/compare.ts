import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { Certificate, TrustStore } from '#signatures/pki';

import { verifyContainer } from '#signatures/asic';
import { askDss, type ValidatorAnswer } from '../java-checks.js';
import { SigningKit } from '../signing-kit.js';
import { type Mutant, mutants } from './mutants.js';

/** The verdicts on one mutant: ours, and that of EU DSS with the demands of AsicCheck. */
export interface Comparison {
  readonly title: string;
  readonly accepted: boolean;
  /** Our findings, as `rule: message`. */
  readonly findings: readonly string[];
  readonly container: Buffer;
  readonly dss: ValidatorAnswer;
}

const HOUR = 3_600_000;

/** The moment that both judge at, the day after the golden containers were signed. Epoch milliseconds. */
const AT = Date.UTC(2026, 5, 2, 12);

/** A container whose bytes stay the same, so that a mutant of them does, too, and the root that it is trusted under. */
const GOLDEN = 'test/vectors/asic/P-256-LT-complete.asice';
const GOLDEN_ROOT = 'test/vectors/asic/root.pem';

/** Judges that many mutants. `directory`: for their files, which the caller removes. A mutant that our verification throws for fails the call. */
export const compareMutants = async (count: number, directory: string, first = 0): Promise<readonly Comparison[]> => {
  const kit = await SigningKit.open(AT - 4 * HOUR);
  const root = join(directory, 'root.pem');
  await writeFile(root, Certificate.parse(kit.pki.root.certificate).pem);
  const golden = { container: await readFile(resolve(GOLDEN)), root: await readFile(resolve(GOLDEN_ROOT), 'utf8') };
  const trust = new TrustStore([Certificate.parse(kit.pki.root.certificate), Certificate.parse(fromPem(golden.root))]);
  const demands = ['--trust', root, '--trust', resolve(GOLDEN_ROOT), '--at', new Date(AT).toISOString()];
  const cases: string[][] = [];
  const ours: (Mutant & { readonly findings: readonly string[]; readonly accepted: boolean })[] = [];
  for await (const mutant of mutants(kit, golden.container, count, first)) {
    const file = join(directory, `${cases.length}.asice`);
    await writeFile(file, mutant.container);
    cases.push([file, ...demands]);
    const report = await verifyContainer(mutant.container, { trust, now: AT }).catch((cause: unknown) => {
      throw new Error(`verification threw for mutant ${mutant.title}`, { cause });
    });
    const findings = report.findings.map(({ rule, message }) => `${rule}: ${message}`);
    ours.push({ ...mutant, findings, accepted: report.verdict === 'TOTAL_PASSED' });
  }
  const answers = await askDss(cases, directory);
  return ours.map((judged, at) => ({ ...judged, dss: answers[at] as ValidatorAnswer }));
};

const fromPem = (pem: string): Buffer => Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64');
