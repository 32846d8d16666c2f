import type { Command } from 'commander';

import { onOneLine } from '#kernel';

import { Refusal } from '../failures.js';
import { terminalOf } from '../terminal.js';

const HELP = `
It reads the settings of the service from the environment, and looks at them, the key files, the certificates, the engines, the trust services, the ports,
and in guarded environments at the public addresses and the clock behind them. It stores nothing. Run it as the service's user, before the first start and
before an upgrade. While the service runs on this machine, it also asks whether the service is ready, whether the proxies tell it the addresses of their callers,
and in guarded environments whether the origins of the phone and the portal answer nothing else.

Exit codes: 0 nothing found   1 something has to be mended`;

/** Milliseconds until the process ends all the same. */
const LINGER = 1_000;

export const doctorCommand = (program: Command): void => {
  program
    .command('doctor')
    .description('look for what would prevent a start or disturb it, and say what to do')
    .addHelpText('after', HELP)
    .action(async (_: unknown, command: Command) => {
      const terminal = terminalOf(command);
      const findings = await (await load()).examineStart();
      const lines = findings.map(({ subject, problem, note }) =>
        problem === undefined ? `ok       ${subject}${note ? `: ${note}` : ''}` : `PROBLEM  ${problem}`,
      );
      terminal.show({ findings }, lines.map((line) => onOneLine(line)).join('\n'));
      // A call to a silent engine times out, but its open connection may keep the process alive.
      setTimeout(() => process.exit(), LINGER).unref();
      const problems = findings.filter(({ problem }) => problem !== undefined).length;
      if (problems > 0) throw new Refusal(`${problems} to be fixed before the start`);
    });
};

/** Loaded on demand: every other command runs without the engines' drivers. */
const load = () => import('../store/doctor.js');
