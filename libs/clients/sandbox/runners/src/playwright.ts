import type { Sandbox, SandboxOptions } from '../../src/index.js';
import { programFile } from '../../src/program-file.js';
import { programParameters } from '../../src/program-parameters.js';
import { runningUrl } from '../../src/settings.js';
import { runningSandbox } from '../../src/start-sandbox.js';
import { PagePhone, type PageWithLogin } from './page-phone.js';
import { shellCommand } from './shell-command.js';

export * from '../../src/index.js';
export type { PagePhone } from './page-phone.js';

/** The fixtures of {@link countersign}. */
export interface Countersign {
  readonly sandbox: Sandbox;
  /** Scans what `page` shows. */
  readonly phone: PagePhone;
}

type Use<Value> = (value: Value) => Promise<void>;

/** Fixtures of Playwright: `test.extend<Countersign>(countersign)`. It reads what a fixture needs from its first parameter. */
export const countersign = {
  sandbox: async ({}: object, use: Use<Sandbox>): Promise<void> => use(runningSandbox()),
  phone: async ({ page, sandbox }: { page: PageWithLogin; sandbox: Sandbox }, use: Use<PagePhone>): Promise<void> =>
    use(new PagePhone(page, sandbox)),
};

/** An entry of Playwright's `webServer`. */
export interface SandboxServer {
  readonly name: string;
  readonly command: string;
  readonly env: Record<string, string>;
  readonly wait: { readonly stdout: RegExp };
}

/**
 * The sandbox as an entry of `webServer`, to be spread there before the server of your application: one for all workers, which ends with Playwright. Your server and the tests
 * find its address in COUNTERSIGN_SANDBOX_URL. No entry where that names one already. Needs Playwright 1.57 or later.
 */
export const sandboxServer = (options: SandboxOptions = {}): SandboxServer[] => {
  if (runningUrl() !== undefined) return [];
  return [
    {
      name: 'Countersign sandbox',
      command: shellCommand([process.execPath, programFile(), ...programParameters(options)]),
      env: { NODE_OPTIONS: '' },
      // Playwright makes a variable of the environment of a named group.
      wait: { stdout: /^Countersign sandbox: (?<COUNTERSIGN_SANDBOX_URL>\S+)/m },
    },
  ];
};
