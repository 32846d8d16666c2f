/** The environment variable with the address of a sandbox that runs. A runner's set-up sets it for its workers. */
export const SANDBOX_URL = 'COUNTERSIGN_SANDBOX_URL';

/** The address of the running sandbox; undefined when none is named. */
export const runningUrl = (): string | undefined => process.env[SANDBOX_URL] || undefined;

/** Names the running sandbox, also to the processes that this one starts from now on. */
export const nameRunning = (url: string): void => {
  process.env[SANDBOX_URL] = url;
};

/** The environment of the sandbox: that of the runner without its NODE_OPTIONS, which may load modules that are meant for tests. */
export const environmentOfSandbox = (): NodeJS.ProcessEnv => {
  const { NODE_OPTIONS: _, ...environment } = process.env;
  return environment;
};
