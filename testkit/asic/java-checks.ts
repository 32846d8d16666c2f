import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { missingCommands } from '#testkit/pki/foreign-programs';

const TOOL = resolve('testkit/programs/asic-check');
const DSS_CLASS_PATH = `${join(TOOL, 'target/asic-check.jar')}:${join(TOOL, 'target/dependency')}/*`;
const BC_JARS = ['bcprov', 'bcpkix', 'bcutil'].map((name) => `/usr/share/java/${name}.jar`);
/** For a program that runs some seconds: half the processor time of the defaults. */
const LITTLE_WORK = ['-Xmx512m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];
// in the C locale Java mangles names beyond ASCII
const UTF8_LOCALE = ['-Dsun.jnu.encoding=UTF-8', '-Dfile.encoding=UTF-8'];

/** The programs that are missing for the checks; empty when they can run. */
export const missingTools = (): readonly string[] => [
  ...missingCommands('java', 'javac', 'mvn', 'openssl'),
  ...(BC_JARS.every(existsSync) ? [] : ['libbcprov-java libbcpkix-java libbcutil-java (Debian)']),
];

/** Builds both programs, unless they are built already. */
export const buildJavaChecks = (directory: string): void => {
  execFileSync('mvn', ['-q', 'package'], { cwd: TOOL, stdio: 'pipe' });
  execFileSync('javac', ['-nowarn', '-encoding', 'UTF-8', '-cp', BC_JARS.join(':'), '-d', directory, join(TOOL, 'bouncycastle/BcCheck.java')], {
    stdio: 'pipe',
  });
};

export interface ValidatorAnswer {
  readonly accepted: boolean;
  readonly output: string;
}

/** EU DSS over all cases in one process. Each case is a list of AsicCheck's arguments. Throws when it did not run. */
export const askDss = (cases: readonly (readonly string[])[], directory: string): Promise<readonly ValidatorAnswer[]> =>
  ask({ program: 'countersign.asiccheck.AsicCheck', classPath: DSS_CLASS_PATH, accepted: /^ACCEPTED$/m }, cases, directory);

/** Bouncy Castle over all cases in one process. Each case is a list of BcCheck's arguments. Throws when it did not run. */
export const askBouncyCastle = (cases: readonly (readonly string[])[], directory: string): Promise<readonly ValidatorAnswer[]> =>
  ask({ program: 'countersign.asiccheck.BcCheck', classPath: [...BC_JARS, directory].join(':'), accepted: /^PASSED$/m }, cases, directory);

interface Validator {
  readonly program: string;
  readonly classPath: string;
  /** The line of its output that means acceptance. */
  readonly accepted: RegExp;
}

const ask = async ({ program, classPath, accepted }: Validator, cases: readonly (readonly string[])[], directory: string) => {
  const file = join(directory, `${program}.tsv`);
  await writeFile(file, cases.map((one) => one.join('\t')).join('\n'));
  const options = { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const;
  const { stdout, stderr, status } = spawnSync('java', [...LITTLE_WORK, ...UTF8_LOCALE, '-cp', classPath, program, '--cases', file], options);
  const answers = stdout
    .split(/^case {8}/m)
    .slice(1)
    .map((output): ValidatorAnswer => ({ accepted: accepted.test(output), output }));
  // 1 means that the program did not run
  if (status === 1 || status === null || answers.length !== cases.length) throw new Error(`${program} did not run: ${stderr}`);
  return answers;
};
