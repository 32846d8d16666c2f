import { programFile } from './program-file.js';
import { programParameters, type SandboxOptions } from './program-parameters.js';
import { Sandbox } from './sandbox.js';
import { SandboxError } from './sandbox-error.js';
import { SandboxProgram } from './sandbox-program.js';
import { SEEDED_CLIENT } from './seeded-client.js';
import { nameRunning, runningUrl, SANDBOX_URL } from './settings.js';

/**
 * Starts a sandbox, and resolves when it answers. It ends by `stop`, or when this process ends, however it ends. Where the environment variable
 * COUNTERSIGN_SANDBOX_URL names one that runs, takes that one, with the redirect URIs that it has, and leaves it running. Throws a `SandboxError`.
 */
export const startSandbox = async (options: SandboxOptions = {}): Promise<Sandbox> => {
  const url = runningUrl();
  if (url !== undefined) return sandboxAt(url);
  const program = await SandboxProgram.start(programFile(), programParameters(options));
  const { started } = program;
  return new Sandbox({ url: started.url, client: started.clients[0] ?? SEEDED_CLIENT, stop: () => program.stop() });
};

/** As {@link startSandbox}, for all processes that this one starts from now on: {@link runningSandbox} finds it there. For the set-up of a test runner. */
export const startForRun = async (options: SandboxOptions = {}): Promise<Sandbox> => {
  const sandbox = await startSandbox(options);
  nameRunning(sandbox.url);
  return sandbox;
};

/** The sandbox of this run: that of the runner's set-up, or the one that COUNTERSIGN_SANDBOX_URL names. Throws a `SandboxError` that tells how to start one. */
export const runningSandbox = (): Sandbox => {
  const url = runningUrl();
  if (url === undefined)
    throw new SandboxError(
      `no sandbox runs: name the set-up of @countersign/sandbox in the configuration of your test runner, or set ${SANDBOX_URL} to the address of one that runs`,
    );
  return sandboxAt(url);
};

const sandboxAt = (url: string): Sandbox => {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) throw new SandboxError(`${SANDBOX_URL} is no address: give one like http://localhost:3000`);
  return new Sandbox({ url: new URL(url).origin, client: SEEDED_CLIENT, stop: async () => undefined });
};
