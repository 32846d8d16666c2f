import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { SignJWT } from 'jose';

import type { Phone } from '#clients/software-phone';

import { writeChapter } from '../chapters.js';
import { inTurn } from '../in-turn.js';
import { machine, table, versions } from '../report.js';
import { Server } from '../server.js';
import { Staff } from '../staff.js';
import { authorize, emptyRequest, logInByOpenId, logInNatively, type LoginPlace, pushRequest } from './hosted-logins.js';

/**
 * `npm run bench -- openid`: the processor time of a login by OpenID Connect beside that of a native one, both on the hosted page, in turn; and that of the request which it takes more,
 * beside an empty one of the same server.
 */
const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    /**
     * Of each kind in a round, and ten times as many requests. Counted, as the warm-up is: what some seconds hold depends on what else the machine does. Few, so that the kinds are
     * measured close to each other; fewer would be lost in the ticks by which the system counts processor time.
     */
    logins: { type: 'string', default: '150' },
    concurrency: { type: 'string', default: '16' },
    /** Logins of each kind before the first round: until then the code is not compiled. */
    'warm-up': { type: 'string', default: '1500' },
    /** How often each is measured, in turn. The table has the medians. */
    rounds: { type: 'string', default: '21' },
    /** Writes the chapter to docs/benchmarks.md. */
    write: { type: 'boolean', default: false },
  },
});
const [logins, concurrency, warmUp, rounds] = [options.logins, options.concurrency, options['warm-up'], options.rounds].map(Number) as [
  number,
  number,
  number,
  number,
];
/** Milliseconds of processor time that a login by OpenID Connect may cost more than a native one, without the signature of its ID token. */
const LIMIT = 0.6;
const SIGNATURES = 500;
/** For one login. */
const REQUESTS = 10;

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const sign = (): Promise<string> =>
  new SignJWT({ sub: 'x'.repeat(36), aud: 'y'.repeat(36), nonce: 'z'.repeat(20), amr: ['pin', 'swk', 'mfa'] })
    .setProtectedHeader({ alg: 'RS256' })
    .sign(privateKey);

/** Milliseconds of processor time for the signature of one ID token by RS256, in this process. */
const signatureCost = async (): Promise<number> => {
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

  /** Milliseconds of processor time of the server for each of so many works, as many at a time as there are phones. */
  const costOf = async (works: readonly (() => Promise<void>)[], count: number): Promise<number> => {
    let begun = 0;
    const before = server.cpuSeconds() ?? NaN;
    const goOn = async (work: () => Promise<void>): Promise<void> => {
      while (begun < count) {
        begun += 1;
        await work();
      }
    };
    await Promise.all(works.map(goOn));
    return (((server.cpuSeconds() ?? NaN) - before) / count) * 1_000;
  };
  const byPhones = (work: (phone: Phone) => Promise<void>): readonly (() => Promise<void>)[] => phones.map((phone) => () => work(phone));
  // No page claims these requests, which last for a minute.
  const authorizations = async (): Promise<readonly (() => Promise<void>)[]> => {
    const pushed = await Promise.all(phones.map(() => pushRequest(place, shop)));
    return pushed.map(
      ({ requestUri }) =>
        () =>
          authorize(place, shop, requestUri),
    );
  };
  const [native, openid, empty] = [
    byPhones((phone) => logInNatively(place, shop, phone)),
    byPhones((phone) => logInByOpenId(place, shop, phone)),
    byPhones(() => emptyRequest(place)),
  ];
  const kinds = {
    native: (count: number) => costOf(native, count),
    openid: (count: number) => costOf(openid, count),
    authorize: async (count: number) => costOf(await authorizations(), count * REQUESTS),
    empty: (count: number) => costOf(empty, count * REQUESTS),
  };
  const measured = Object.entries(kinds) as [keyof typeof kinds, (count: number) => Promise<number>][];
  for (const [, cost] of measured) await cost(warmUp);
  await inTurn(SIGNATURES, sign);
  const costs: Record<keyof typeof kinds | 'signature', number[]> = { native: [], openid: [], authorize: [], empty: [], signature: [] };
  for (let round = 0; round < rounds; round += 1) {
    for (const [kind, cost] of measured) costs[kind].push(await cost(logins));
    costs.signature.push(await signatureCost());
  }
  const of = (kind: keyof typeof costs): number => median(costs[kind]);
  const more = of('openid') - of('native') - of('signature');
  const text = `Made by \`npm run bench -- openid --write\`: whole logins on the hosted page by one standalone process with its defaults, ${concurrency} at a time, ${logins} of each kind in turn, ${rounds} times, after ${warmUp} of each; the medians. Milliseconds of processor time of the whole process. By OpenID Connect a login takes one request more, \`/authorize\`, and its answer an ID token, whose signature (RS256) is given apart, measured in the process of the load. The empty request is \`/livez\`: what any request costs before the service does anything for it.

${table(
  ['', 'milliseconds'],
  [
    ['a native login', of('native')],
    ['a login by OpenID Connect, with a pushed request', of('openid')],
    ['the signature of its ID token', of('signature')],
    ['what it costs more, without the signature', more],
    ['of that, the request more, `/authorize`', of('authorize')],
    ['of that, what an empty request costs', of('empty')],
  ].map(([name, cost]) => [String(name), Number(cost).toFixed(3)]),
)}

The limit is ${LIMIT} ms more: ${more <= LIMIT ? 'kept' : '**exceeded**'}. ${machine()}. ${versions()}. ${new Date().toISOString().slice(0, 10)}. Load average before the run ${loadBefore.toFixed(1)}.`;
  process.stdout.write(`${text}\n`);
  if (options.write) await writeChapter('A login by OpenID Connect', text);
} finally {
  await server.stop();
  await rm(directory, { recursive: true });
}
