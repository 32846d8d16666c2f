import { stat, writeFile } from 'node:fs/promises';

import { attachFile, AttachRefused, type ContainerReport, explainReport, validateContainer, validationReport } from '#asic';
import { SystemClock } from '#kernel';
import { type Command, Option } from 'commander';

import { type Failure, Incomplete, Refusal, UsageFailure } from '../failures.js';
import { Terminal } from '../terminal.js';
import { readTrustStore } from '../trust-anchors.js';

interface VerifyOptions {
  readonly trust?: string[];
  readonly level: 'B' | 'T' | 'LT';
  readonly report?: string;
}

/** The commands that need no service: they work on a container alone. */
export const containerCommands = (program: Command): void => {
  program
    .command('verify <container>')
    .description('explain a signed container (.asice): the signer, the signed file, the time and the trust')
    .option('--trust <file...>', 'certificates of the roots that you trust, PEM or DER (default: the development root of a service on this machine)')
    .addOption(new Option('--level <level>', 'the CAdES baseline level that is needed').choices(['B', 'T', 'LT']).default('LT'))
    .option('--report <file>', 'write the validation report of ETSI TS 119 102-2 (XML) to this new file too, whatever the verdict')
    .addHelpText(
      'after',
      '\nExit codes:\n  0 valid   1 not valid   2 wrong command line or unreadable file   5 valid, but the signed file is not in it yet',
    )
    .action(async (container: string, { trust, level, report: reportPath }: VerifyOptions, command: Command) => {
      await mustBeFile(container);
      const validation = await validateContainer(container, { trust: await readTrustStore(trust), now: new SystemClock().now(), level });
      const { report } = validation;
      if (reportPath !== undefined) await writeReport(reportPath, validationReport(validation));
      terminalOf(command).show(report, explainReport(report).map(visible).join('\n'));
      const failure = failureOf(report);
      if (failure) throw failure;
    });

  program
    .command('attach <container> <file...>')
    .description('put the signed file, or several, into the container, after checking that each was signed')
    .option('--output <path>', "where to write the completed container (default: in the container's place)")
    .action(async (container: string, files: readonly string[], { output }: { output?: string }, command: Command) => {
      for (const file of [container, ...files]) await mustBeFile(file);
      const target = output ?? container;
      for (const [at, file] of files.entries()) {
        const { signedDataName, changed } = await attached({ container: at === 0 ? container : target, file, output: target });
        const said = changed
          ? `Put ${JSON.stringify(signedDataName)} into ${target}.`
          : `${JSON.stringify(signedDataName)} was in the container already.`;
        terminalOf(command).show({ signedDataName, changed, container: target }, visible(said));
      }
    });
};

const terminalOf = (command: Command): Terminal => new Terminal(command.optsWithGlobals<{ json?: boolean }>().json ?? false);

const attached = async (order: Parameters<typeof attachFile>[0]) => {
  try {
    return await attachFile(order);
  } catch (error) {
    if (error instanceof AttachRefused) throw new Refusal(error.message, { cause: error });
    if (isFileError(error)) throw new UsageFailure(error.message, { cause: error });
    throw error;
  }
};

const failureOf = ({ verdict, findings }: ContainerReport): Failure | undefined => {
  if (verdict === 'TOTAL_PASSED') return undefined;
  return findings.length > 0 ? new Refusal('the container is not valid') : new Incomplete('the signed file is not in the container yet');
};

/** Replaces no file: the path may be that of the container, or of an earlier report. */
const writeReport = async (path: string, report: string): Promise<void> => {
  try {
    await writeFile(path, report, { flag: 'wx' });
  } catch (cause) {
    const isThere = isFileError(cause) && cause.code === 'EEXIST';
    throw new UsageFailure(`${path}: ${isThere ? 'is there already; give the report another name' : 'the report cannot be written'}`, { cause });
  }
};

/** Only a regular file: a directory, a device or a pipe has no size, and reading it may never end. */
const mustBeFile = async (path: string): Promise<void> => {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) throw new UsageFailure(`${path}: there is no such file`);
};

const isFileError = (error: unknown): error is NodeJS.ErrnoException => error instanceof Error && 'syscall' in error;

/** File names in a container come from strangers: they must not control the terminal or change the direction of its text. */
const visible = (line: string): string => line.replace(/[\p{Cc}\p{Bidi_Control}]/gu, '?');
