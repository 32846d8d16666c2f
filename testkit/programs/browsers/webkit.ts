import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

import { reservePort } from '../../processes/reserve-port.ts';
import { SAME_FONTS } from './chromium.ts';

/** Debian's WebKitGTK and its driver, and the screen without a screen that GTK needs. */
const DRIVER = process.env['WEBKIT_DRIVER'] ?? '/usr/bin/WebKitWebDriver';
const BROWSER = process.env['WEBKIT'] ?? '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser';
const SCREEN = '/usr/bin/Xvfb';

export const hasWebKit = (): boolean => [DRIVER, BROWSER, SCREEN].every((path) => existsSync(path));

/** The key of an element in an answer of the driver (WebDriver, 12.1). */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';
const TRY_AGAIN_MS = 100;
const PATIENCE_MS = 30_000;

/** A window of WebKitGTK, by WebDriver (a W3C Recommendation). It has an empty profile, and takes certificates of an unknown CA. */
export class WebKitWindow implements AsyncDisposable {
  private constructor(
    private readonly session: string,
    private readonly end: () => Promise<void>,
  ) {}

  static async open(): Promise<WebKitWindow> {
    const home = await mkdtemp(join(tmpdir(), 'webkit-'));
    const screen = spawn(SCREEN, ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    const [display] = (await once(screen.stdio[3] as Readable, 'data')) as [Buffer];
    const port = await reservePort();
    const env = { ...SAME_FONTS, DISPLAY: `:${String(display).trim()}`, HOME: home, XDG_RUNTIME_DIR: home, LIBGL_ALWAYS_SOFTWARE: '1' };
    const driver = spawn(DRIVER, [`--port=${port}`], { env, stdio: 'ignore' });
    const end = async (): Promise<void> => {
      await stop(driver);
      await stop(screen);
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    };
    try {
      const capabilities = { alwaysMatch: { acceptInsecureCerts: true, 'webkitgtk:browserOptions': { binary: BROWSER, args: ['--automation'] } } };
      const created = await untilThere(() => call(`http://127.0.0.1:${port}/session`, 'POST', { capabilities }));
      const { sessionId } = created as { readonly sessionId: string };
      return new WebKitWindow(`http://127.0.0.1:${port}/session/${sessionId}`, end);
    } catch (error) {
      await end();
      throw error;
    }
  }

  async goto(url: string): Promise<void> {
    await call(`${this.session}/url`, 'POST', { url });
  }

  /** @param script the body of a function of the page, which returns JSON */
  run(script: string, ...args: readonly unknown[]): Promise<unknown> {
    return call(`${this.session}/execute/sync`, 'POST', { script, args });
  }

  /** Waits until an element is there and shown. */
  async see(selector: string): Promise<void> {
    await untilThere(async () => {
      const shown = await this.run(
        'const found = document.querySelector(arguments[0]); return found !== null && found.getClientRects().length > 0',
        selector,
      );
      if (shown !== true) throw new Error(`${selector} is not there, but: ${String(await this.run('return document.body.innerText'))}`);
    });
  }

  async click(selector: string): Promise<void> {
    await this.see(selector);
    await call(`${this.session}/element/${await this.find(selector)}/click`, 'POST', {});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await call(this.session, 'DELETE').catch(() => undefined);
    await this.end();
  }

  private async find(selector: string): Promise<string> {
    const found = await call(`${this.session}/element`, 'POST', { using: 'css selector', value: selector });
    return String((found as Record<string, unknown>)[ELEMENT]);
  }
}

const call = async (url: string, method: string, body?: unknown): Promise<unknown> => {
  const response = await fetch(url, { method, ...(body !== undefined && { body: JSON.stringify(body) }) });
  const { value } = (await response.json()) as { readonly value: unknown };
  if (!response.ok) throw new Error(`WebDriver, ${method} ${url}: ${JSON.stringify(value).slice(0, 500)}`);
  return value;
};

/** Tries again until it succeeds. */
const untilThere = async <Result>(attempt: () => Promise<Result>): Promise<Result> => {
  const began = performance.now();
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() - began > PATIENCE_MS) throw error;
      await new Promise((done) => setTimeout(done, TRY_AGAIN_MS));
    }
  }
};

const stop = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
};
