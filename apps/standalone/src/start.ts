import { isInMemory, type PlatformSettings } from '#service/config';
import { emptyData, heldElsewhere, type LastingOptions, MovableClock, openLastingParts, openPorts, type Platform } from '#service/platform';

import type { SandboxAccess } from '../../sandbox/src/seed/seed-sandbox.js';
import type { DemoAccess } from './demo.js';
import { type Generation, openGeneration } from './generation.js';
import { Resets } from './resets.js';

/** The running process. What it shows is what it has since the last reset of its sandbox. */
export interface Standalone {
  readonly platform: Platform;
  readonly demo: DemoAccess | undefined;
  /** The client of every sandbox. Undefined where it was not asked for, and where the sandbox is off. */
  readonly sandbox: SandboxAccess | undefined;
  /** Opens the web phone as the phone of the demo's first person. */
  readonly phoneLink: string | undefined;
  /** Resolves when the process has to end, with the reason. */
  readonly failed: Promise<Error>;
  /** Answers the requests that have arrived, then closes everything. */
  close(): Promise<void>;
}

export interface StandaloneOptions extends LastingOptions {
  /** Of the client of every sandbox; may be none. Absent: the sandbox has no such client. */
  readonly sandboxRedirectUris?: readonly string[];
}

class Running implements Standalone {
  constructor(
    private readonly now: () => Generation,
    readonly failed: Promise<Error>,
    readonly close: () => Promise<void>,
  ) {}

  get platform(): Platform {
    return this.now().platform;
  }

  get demo(): DemoAccess | undefined {
    return this.now().demo;
  }

  get sandbox(): SandboxAccess | undefined {
    return this.now().sandbox;
  }

  get phoneLink(): string | undefined {
    return this.now().phoneLink;
  }
}

/** Starts all applications in this process, on one store and one port, with their documentation and the demo. */
export const startStandalone = async (
  settings: PlatformSettings,
  { sandboxRedirectUris, ...options }: StandaloneOptions = {},
): Promise<Standalone> => {
  const lasting = await openLastingParts(settings, options);
  const { promise: failed, resolve: fail } = Promise.withResolvers<Error>();
  const open = async (): Promise<Generation> => {
    const opened = await openGeneration(settings, { lasting, sandboxRedirectUris, sandboxControl: resets });
    void opened.failed.then(fail);
    return opened;
  };
  const exchange = async (): Promise<void> => {
    await now.close();
    if (!isInMemory(settings.dataDirectory)) await (await import('./demo.js')).forgetDemo(settings);
    await emptyData(settings);
    const { clock, keys } = lasting;
    if (clock instanceof MovableClock) await clock.reset(Math.max(...keys.ages().map(({ since }) => since)));
    now = await open();
    await ports.mount(now.made);
    await now.begin();
  };
  const resets = new Resets({ heldElsewhere: heldElsewhere(settings), stop: () => now.stop(), exchange, failed: fail });
  let now = await open();
  const ports = await openPorts(settings, now.made, resets.gate);
  await now.begin();
  const close = async (): Promise<void> => {
    await resets.close();
    await now.stop();
    await ports.close();
    await now.close();
    await lasting.close();
  };
  return new Running(() => now, failed, close);
};
