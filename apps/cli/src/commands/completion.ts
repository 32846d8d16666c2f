import { Argument, type Command } from 'commander';

import { completionScript, type Shell, SHELLS } from '../completion-script.js';

export const completionCommands = (program: Command): void => {
  program
    .command('completion')
    .description('a script that defines the command countersign, with completion by Tab: source <(npm run --silent cli -- completion bash)')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .action((shell: Shell) => {
      process.stdout.write(completionScript(shell, program, process.cwd()));
    });
};
