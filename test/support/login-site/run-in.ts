import { spawnSync } from 'node:child_process';

/** Runs commands in a folder, and answers what they print. When one fails, the error tells that too: compilers report on standard output. */
export const runIn =
  (folder: string, env: NodeJS.ProcessEnv = process.env) =>
  (command: string, ...parameters: string[]): string => {
    const { status, stdout, stderr } = spawnSync(command, parameters, { cwd: folder, encoding: 'utf8', env });
    if (status !== 0) throw new Error(`${[command, ...parameters].join(' ')} failed:\n${stdout}${stderr}`);
    return stdout;
  };
