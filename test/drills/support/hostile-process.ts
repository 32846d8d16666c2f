import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { runDirectory } from '../../support/index.js';
import { bundleProgram } from './bundle-program.js';
import type { HostileTools } from './hostile-member.js';
import type { FromMember, ToMember } from './hostile-member-program.js';

const PROGRAM = join(import.meta.dirname, 'hostile-member-program.ts');

/** How often each deed was answered, by deed and status. */
type Answers = ReadonlyMap<string, ReadonlyMap<number, number>>;

/**
 * The hostile member in a process of its own, with the lowest priority: in truth it has a machine of its own, so its work must take no processor
 * time from the service, or from the clock that its neighbours' answers are measured by.
 */
export class HostileProcess {
  answers: Answers = new Map();
  failures: readonly string[] = [];

  private constructor(
    private readonly child: ChildProcess,
    readonly clientId: string,
  ) {}

  /** Starts the process, whose member joins a client of its own. */
  static async join(tools: HostileTools): Promise<HostileProcess> {
    const program = await bundleProgram(PROGRAM, join(runDirectory(), 'hostile-member'));
    const child = spawn('nice', ['-n', '19', process.execPath, program], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    const joined = answerOf(child);
    tell(child, { join: tools });
    return new HostileProcess(child, ((await joined) as { joined: string }).joined);
  }

  begin(): void {
    tell(this.child, 'begin');
  }

  /** Resolves when the last requests are answered; the answers are there then. */
  async stop(): Promise<void> {
    if (!this.child.connected) return;
    const stopped = answerOf(this.child);
    tell(this.child, 'stop');
    const { answers, failures } = (await stopped) as Extract<FromMember, { failures: unknown }>;
    this.answers = new Map(answers.map(([deed, statuses]) => [deed, new Map(statuses)]));
    this.failures = failures;
  }

  /** How often the deed was answered with one of these statuses. */
  count(deed: string, ...statuses: readonly number[]): number {
    return [...(this.answers.get(deed) ?? [])].reduce((sum, [status, times]) => (statuses.includes(status) ? sum + times : sum), 0);
  }
}

const tell = (child: ChildProcess, message: ToMember): void => void child.send(message);

/** The next message of the process; rejects when it ends without one. */
const answerOf = async (child: ChildProcess): Promise<FromMember> => {
  const ended = new AbortController();
  const end = once(child, 'exit', ended).then(([code, signal]) => {
    throw new Error(`the hostile member ended before it answered: ${code ?? signal}`);
  });
  try {
    const [message] = (await Promise.race([once(child, 'message', ended), end])) as [FromMember];
    return message;
  } finally {
    end.catch(() => undefined);
    ended.abort();
  }
};
