import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { isLoopback, serviceAddress } from '../../src/service-address.js';
import { usage } from './failures.js';

/** Where the client's credentials come from. None stands on the command line: every user of the machine can read the list of processes. */
export type Credentials = { readonly secret: string | undefined } | { readonly key: string; readonly keyId: string | undefined };

export interface Settings {
  readonly command: 'listen' | 'sessions tail';
  /** The service's {base_url}. */
  readonly url: string;
  readonly clientId: string;
  readonly credentials: Credentials;
  /** Of `listen`: where each webhook is posted to. */
  readonly forwardTo: string | undefined;
  /** Of `listen`: `whsec_…`. Undefined: made at the start. */
  readonly webhookSecret: string | undefined;
  /** The types of events; undefined: those that webhooks announce. */
  readonly types: string | undefined;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment of the process. */
export const environment = (): Environment => process.env;

const OPTIONS = {
  url: { type: 'string' },
  'client-id': { type: 'string' },
  'client-secret-file': { type: 'string' },
  'key-file': { type: 'string' },
  'key-id': { type: 'string' },
  'forward-to': { type: 'string' },
  events: { type: 'string' },
  'allow-remote': { type: 'boolean' },
  'allow-plain-http': { type: 'boolean' },
  // Refused with a reason.
  'client-secret': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const EVERY_TYPE = 'session.created,session.scanned,session.confirmed,session.completed,session.cancelled,session.expired';

/** Reads the command line and the environment. Undefined: the person asks for help. Throws a Failure that names the option and what to do. */
export const readSettings = (args: readonly string[], env: Environment): Settings | undefined => {
  const { values, positionals } = parsed(args);
  if (values.help === true || args.length === 0) return undefined;
  const command = positionals.join(' ');
  if (command !== 'listen' && command !== 'sessions tail') throw usage(`there is no command "${command}"; countersign --help shows them`);
  if (values['client-secret'] !== undefined) {
    throw usage('--client-secret would show the secret to every user of this machine. Set COUNTERSIGN_CLIENT_SECRET, or give --client-secret-file.');
  }
  const url = values.url ?? env['COUNTERSIGN_URL'] ?? '';
  const clientId = values['client-id'] ?? env['COUNTERSIGN_CLIENT_ID'] ?? '';
  if (url === '') throw usage('--url is missing: the address of the service, such as https://login.example (or COUNTERSIGN_URL)');
  if (!UUID.test(clientId)) throw usage('--client-id is missing or no UUID: the id of your client (or COUNTERSIGN_CLIENT_ID)');
  const listens = command === 'listen';
  if (!listens && (values['forward-to'] ?? values.events) !== undefined) throw usage('sessions tail knows neither --forward-to nor --events');
  return {
    command,
    url: address('--url', () => serviceAddress(url, values['allow-plain-http'] === true)),
    clientId,
    credentials: credentials(values, env),
    forwardTo: listens ? forwardAddress(values['forward-to'], values['allow-remote'] === true) : undefined,
    webhookSecret: listens ? webhookSecret(env['COUNTERSIGN_WEBHOOK_SECRET']) : undefined,
    types: listens ? values.events : EVERY_TYPE,
  };
};

const parsed = (args: readonly string[]) => {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true, strict: true });
  } catch (error) {
    throw usage((error as Error).message);
  }
};

const credentials = (values: ReturnType<typeof parsed>['values'], env: Environment): Credentials => {
  const keyFile = values['key-file'];
  if (keyFile !== undefined) return { key: contentOf('--key-file', keyFile), keyId: values['key-id'] };
  const file = values['client-secret-file'];
  const secret = file === undefined ? env['COUNTERSIGN_CLIENT_SECRET'] : contentOf('--client-secret-file', file).trim();
  if (secret === '') throw usage(file === undefined ? 'COUNTERSIGN_CLIENT_SECRET is empty' : 'the file of --client-secret-file is empty');
  return { secret };
};

/** The secret may be kept over several runs, so that the own server need not be told of another one each time. */
const webhookSecret = (given: string | undefined): string | undefined => {
  if (given === undefined || given === '') return undefined;
  if (!/^whsec_[a-z0-9+/]{32,}={0,2}$/i.test(given)) throw usage('COUNTERSIGN_WEBHOOK_SECRET must be whsec_ and the base64 of at least 24 bytes');
  return given;
};

const forwardAddress = (text: string | undefined, allowRemote: boolean): string => {
  const url = text !== undefined && URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw usage('--forward-to is missing or no address: where your server takes webhooks, such as http://localhost:4242/webhooks');
  }
  if (url.username !== '' || url.password !== '') throw usage('--forward-to must hold no user info');
  if (!allowRemote && !isLoopback(url.hostname)) {
    throw usage('--forward-to is not on this machine. --allow-remote says that messages about your users may go there.');
  }
  return url.href;
};

const contentOf = (option: string, path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw usage(`the file of ${option} cannot be read`);
  }
};

const address = (option: string, read: () => string): string => {
  try {
    return read();
  } catch (error) {
    throw usage(`${option}: ${(error as Error).message.replace('allowPlainHttp', '--allow-plain-http')}`);
  }
};
