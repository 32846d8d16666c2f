import { stat, writeFile } from 'node:fs/promises';

import {
  ArchiveStamper,
  attachFile,
  AttachRefused,
  CertificateNotGood,
  type ContainerReport,
  explainReport,
  isUnjudged,
  renewArchive,
  RenewalRefused,
  validateContainer,
  validationReport,
} from '#signatures/asic';
import { onOneLine, ServiceUnavailable, SystemClock } from '#kernel';
import { type Command, InvalidArgumentError, Option } from 'commander';

import { openArchiveServices } from '../archive-services.js';
import { type Failure, Incomplete, NotJudged, Refusal, Unavailable, UsageFailure } from '../failures.js';
import { readSettings, serviceEnvironment } from '../settings.js';
import { terminalOf } from '../terminal.js';
import { readTrustStore } from '../trust-anchors.js';

interface VerifyOptions {
  readonly trust?: string[];
  readonly level: 'B' | 'T' | 'LT' | 'LTA';
  readonly report?: string;
}

/** The commands that need no service: they work on a container alone. */
export const containerCommands = (program: Command): void => {
  program
    .command('verify <container>')
    .description('explain a signed container (.asice): the signer, the signed file, the time and the trust')
    .option('--trust <file...>', 'certificates of the roots that you trust, PEM or DER (default: the development root of a service on this machine)')
    .addOption(
      new Option('--level <level>', 'the baseline level that is needed; LTA has archive time-stamps').choices(['B', 'T', 'LT', 'LTA']).default('LT'),
    )
    .option('--report <file>', 'write the validation report of ETSI TS 119 102-2 (XML) to this new file too, whatever the verdict')
    .addHelpText(
      'after',
      '\nExit codes:\n  0 valid   1 not valid   2 wrong command line or unreadable file   5 valid, but the signed file is not in it yet\n  6 of a form that cannot be judged here: nothing is proved wrong, another validator may pass it',
    )
    .action(async (container: string, { trust, level, report: reportPath }: VerifyOptions, command: Command) => {
      await mustBeFile(container);
      const validation = await validateContainer(container, { trust: await readTrustStore(trust), now: new SystemClock().now(), level });
      const { report } = validation;
      if (reportPath !== undefined) await writeReport(reportPath, validationReport(validation));
      terminalOf(command).show(report, explainReport(report).map(onOneLine).join('\n'));
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
        terminalOf(command).show({ signedDataName, changed, container: target }, onOneLine(said));
      }
    });

  renewArchiveCommand(program);
};

const RENEW_HELP = `
The authority is that of TSA_URLS, with TSA_ISSUERS, TSA_POLICY and the credentials TSA_… as the service has them; without them, that of the
development trust service at BASE_URL. A container of level LT gets its first archive time-stamp. Run it daily over an archive.

Exit codes:
  0 all hold for long enough, or do so now   1 a container is not valid; the others were renewed   2 wrong command line or unreadable file
  3 no time-stamp or no revocation data to be had`;

const renewArchiveCommand = (program: Command): void => {
  program
    .command('renew-archive <container...>')
    .description('add an archive time-stamp (level LTA) to each container whose proof ends soon')
    .option('--trust <file...>', 'certificates of the roots that you trust, PEM or DER (default: the development root of a service on this machine)')
    .option('--within <days>', 'renew what ends within so many days', days, 365)
    .option('--output <path>', "where to write the renewed container, of one container (default: in the container's place)")
    .addHelpText('after', RENEW_HELP)
    .action(async (containers: readonly string[], options: RenewOptions, command: Command) => {
      if (options.output !== undefined && containers.length > 1) throw new UsageFailure('--output is for one container');
      for (const container of containers) await mustBeFile(container);
      const clock = new SystemClock();
      const trust = await readTrustStore(options.trust);
      const services = await openArchiveServices(serviceEnvironment(), { trust, developmentUrl: `${readSettings().baseUrl}/pki/tsa`, clock });
      const stamper = new ArchiveStamper(services.timestampAuthority, services.revocationSource);
      const within = options.within * 86_400_000;
      const refused: string[] = [];
      for (const container of containers) {
        const order = { container, ...(options.output !== undefined && { output: options.output }), stamper, trust, now: clock.now(), within };
        const { changed, endsAt, refusal } = await renewed(order);
        if (refusal !== undefined) refused.push(`${container}: ${refusal}`);
        else
          terminalOf(command).line(
            { container, changed, endsAt },
            `${container}: ${changed ? 'renewed, ' : ''}holds until ${new Date(endsAt).toISOString()}`,
          );
      }
      if (refused.length > 0) throw new Refusal(onOneLine(refused.join('\n')));
    });
};

interface RenewOptions {
  readonly trust?: string[];
  readonly within: number;
  readonly output?: string;
}

const days = (text: string): number => {
  if (!/^\d{1,5}$/.test(text)) throw new InvalidArgumentError('It must be a number of days.');
  return Number(text);
};

/** Answers a refusal instead of throwing it, so that the next container still gets its time-stamp. */
const renewed = async (order: Parameters<typeof renewArchive>[0]): Promise<{ changed: boolean; endsAt: number; refusal?: string }> => {
  try {
    return await renewArchive(order);
  } catch (error) {
    if (error instanceof RenewalRefused || error instanceof CertificateNotGood || error instanceof AttachRefused)
      return { changed: false, endsAt: 0, refusal: error.message };
    if (error instanceof ServiceUnavailable) throw new Unavailable(error.message, { cause: error });
    if (isFileError(error)) throw new UsageFailure(error.message, { cause: error });
    throw error;
  }
};

const attached = async (order: Parameters<typeof attachFile>[0]) => {
  try {
    return await attachFile(order);
  } catch (error) {
    if (error instanceof AttachRefused) throw new Refusal(error.message, { cause: error });
    if (isFileError(error)) throw new UsageFailure(error.message, { cause: error });
    throw error;
  }
};

const failureOf = (report: ContainerReport): Failure | undefined => {
  const { verdict, findings } = report;
  if (verdict === 'TOTAL_PASSED') return undefined;
  if (isUnjudged(report)) return new NotJudged('the container is of a form that cannot be judged here');
  return findings.length > 0 ? new Refusal('the container is not valid') : new Incomplete('the signed file is not in the container yet');
};

/** Refuses a path where a file exists: it may be the container, or an earlier report. */
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
