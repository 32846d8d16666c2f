import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import { installNodeApp } from '../../testkit/programs/node-app/install-node-app.ts';
import { documentBlocks } from '../support/document-blocks.js';
import { newCast, RelyingParty } from '../support/index.js';
import { type LoginSite, packSdk, runIn, SiteProcess } from '../support/login-site/index.js';

const README = resolve(import.meta.dirname, '../../libs/clients/relying-party/README.md');

interface Framework {
  /** The folder of its packages in testkit/programs. */
  readonly name: string;
  /** The heading in the README of the SDK with the code of the app. */
  readonly heading: string;
  /** What the framework's own starter makes beside it. */
  readonly starter: Readonly<Record<string, string>>;
  /** The command that builds the app in its folder, without any setting of the service. */
  readonly build: readonly [string, ...string[]];
  /** What Node runs. */
  readonly start: (port: string) => readonly string[];
}

/** An app as the README of the SDK has it, built and started with the SDK from its tarball. */
export const startedApp = async ({ name, heading, starter, build, start }: Framework): Promise<LoginSite & AsyncDisposable> => {
  const { service, phone } = await newCast();
  const folder = installNodeApp(name);
  const documented = documentBlocks(readFileSync(README, 'utf8'))
    .filter(({ section }) => section === heading)
    .map(({ purpose, code }) => [purpose.replace('file ', ''), code] as const);
  if (documented.length === 0) throw new Error(`the README of the SDK has no files under ${heading}`);
  for (const part of ['app', 'src', 'dist', '.next']) rmSync(join(folder, part), { recursive: true, force: true });
  for (const [file, text] of [...Object.entries(starter), ...documented]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  const run = runIn(folder, { PATH: process.env['PATH'], HOME: process.env['HOME'], NEXT_TELEMETRY_DISABLED: '1' });
  run('npm', 'install', '--offline', '--no-save', '--no-audit', '--no-fund', packSdk(folder));
  run(...build);

  const origin = await SiteProcess.reserve();
  const { clientId, clientSecret } = await RelyingParty.register(service, { redirect_uris: [`${origin}/callback`] });
  const { port } = new URL(origin);
  const environment = {
    BASE_URL: service.baseUrls[0],
    LOGIN_URL: service.loginUrl,
    ORIGIN: origin,
    CLIENT_ID: clientId,
    CLIENT_SECRET: clientSecret,
    SESSION_SECRET: 'a secret of this test, long enough for each framework',
    PORT: port,
    NEXT_TELEMETRY_DISABLED: '1',
  };
  const site = await SiteProcess.start({ name, folder, parameters: start(port), environment }, origin);
  return { origin, service, phone, [Symbol.asyncDispose]: () => site[Symbol.asyncDispose]() };
};
