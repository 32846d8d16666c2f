import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { SignJWT } from 'jose';

import type { Phone } from '#clients/software-phone';

import { writeChapter } from '../chapters.js';
import { inTurn } from '../in-turn.js';
import type { RelyingParty } from '../relying-party.js';
import { repeatedLoad } from '../repeated-load.js';
import { machine, table, versions } from '../report.js';
import { Server } from '../server.js';
import { Staff } from '../staff.js';
import { logInByOpenId, logInNatively, type LoginPlace } from './hosted-logins.js';

/** `npm run bench -- openid`: the processor time of a login by OpenID Connect beside that of a native one, both on the hosted page, in turn. */
const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    seconds: { type: 'string', default: '10' },
    concurrency: { type: 'string', default: '16' },
    'warm-up': { type: 'string', default: '15' },
    /** How often each is measured, in turn. The table has the medians. */
    rounds: { type: 'string', default: '5' },
    /** Writes the chapter to docs/benchmarks.md. */
    write: { type: 'boolean', default: false },
  },
});
const [seconds, concurrency, warmUp, rounds] = [options.seconds, options.concurrency, options['warm-up'], options.rounds].map(Number) as [
  number,
  number,
  number,
  number,
];
/** Milliseconds of processor time that a login by OpenID Connect may cost more than a native one, without the signature of its ID token. */
const LIMIT = 0.6;
const SIGNATURES = 500;

type LogIn = (place: LoginPlace, shop: RelyingParty, phone: Phone) => Promise<void>;
const KINDS: Readonly<Record<'native' | 'openid', LogIn>> = { native: logInNatively, openid: logInByOpenId };
type Kind = keyof typeof KINDS;

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

/** Milliseconds of processor time for the signature of one ID token by RS256, in this process. */
const signatureCost = async (): Promise<number> => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const sign = (): Promise<string> =>
    new SignJWT({ sub: 'x'.repeat(36), aud: 'y'.repeat(36), nonce: 'z'.repeat(20), amr: ['pin', 'swk', 'mfa'] })
      .setProtectedHeader({ alg: 'RS256' })
      .sign(privateKey);
  await inTurn(SIGNATURES, sign);
  const before = process.cpuUsage();
  await inTurn(SIGNATURES, sign);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / SIGNATURES;
};

const [loadBefore = 0] = loadavg();
const directory = await mkdtemp(join(tmpdir(), 'countersign-bench-'));
const adminToken = randomBytes(24).toString('base64url');
const server = await Server.start({
  main: 'dist/apps/standalone/src/main.js',
  env: { DATA_DIR: join(directory, 'data'), ADMIN_TOKEN: adminToken, DEMO: 'false', TRUSTED_PROXIES: '127.0.0.1' },
  ready: '/readyz',
  timeLimit: 180_000,
});
try {
  const staff = new Staff(server, adminToken);
  const shop = await staff.newRelyingParty();
  const phones = await inTurn(concurrency, () => staff.newPhone());
  const { headers } = await fetch(`${server.url}/openid/authorize?client_id=${shop.clientId}&request_uri=urn:ietf:params:oauth:request_uri:x`, {
    redirect: 'manual',
  });
  const place: LoginPlace = { url: server.url, loginOrigin: new URL(headers.get('location') ?? server.url).origin };
  const cost = async (kind: Kind, time: number): Promise<number> => {
    const load = repeatedLoad({ name: kind, server, works: phones.map((phone) => () => KINDS[kind](place, shop, phone)) });
    const { perSecond, serverLoad = NaN, failures } = await load.run({ seconds: time, concurrency });
    if (failures.size > 0) throw new Error(`logins failed: ${JSON.stringify([...failures].slice(0, 3))}`);
    return (serverLoad / perSecond) * 1_000;
  };
  const kinds = Object.keys(KINDS) as Kind[];
  for (const kind of kinds) await cost(kind, warmUp);
  const costs: Record<Kind, number[]> = { native: [], openid: [] };
  for (let round = 0; round < rounds; round += 1) for (const kind of kinds) costs[kind].push(await cost(kind, seconds));
  const [native, openid, signature] = [median(costs.native), median(costs.openid), await signatureCost()];
  const more = openid - native - signature;
  const text = `Made by \`npm run bench -- openid --write\`: whole logins on the hosted page by one standalone process with its defaults, ${concurrency} at a time, in turn ${rounds} times for ${seconds} s each, after ${warmUp} s of each; the medians. Milliseconds of processor time of the whole process. By OpenID Connect a login takes one request more, \`/authorize\`, and its answer an ID token, whose signature (RS256) is given apart, measured in the process of the load.

${table(
  ['', 'milliseconds'],
  [
    ['a native login', native.toFixed(3)],
    ['a login by OpenID Connect, with a pushed request', openid.toFixed(3)],
    ['the signature of its ID token', signature.toFixed(3)],
    ['what it costs more, without the signature', more.toFixed(3)],
  ],
)}

The limit is ${LIMIT} ms more: ${more <= LIMIT ? 'kept' : '**exceeded**'}. ${machine()}. ${versions()}. ${new Date().toISOString().slice(0, 10)}. Load average before the run ${loadBefore.toFixed(1)}.`;
  process.stdout.write(`${text}\n`);
  if (options.write) await writeChapter('A login by OpenID Connect', text);
} finally {
  await server.stop();
  await rm(directory, { recursive: true });
}
