import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

import { type Phone, qrPayload } from '#clients/software-phone';

import type { RelyingParty } from '../relying-party.js';
import { Server } from '../server.js';
import { PIN, Staff } from '../staff.js';
import type { Costs } from './growth.js';

const POLLS = 3_000;
const CREATIONS = 1_000;
const LOGINS = 150;
const PAGES = 300;
/** The service counts as quiet when it uses less of a processor than this in each of so many seconds: on a busy machine it may get none for a second. */
const QUIET = 0.03;
const QUIET_SECONDS = 5;
/** Seconds. */
const MOST_CATCHING_UP = 3_600;

/** A standalone process over a directory that was filled, and what its paths cost in processor time, which other load on the machine hardly changes. */
export class MeasuredService {
  private constructor(
    private readonly server: Server,
    readonly staff: Staff,
    private readonly adminToken: string,
    /** Of the start, until it was ready and until it was quiet. */
    readonly start: Costs,
  ) {}

  static async open(directory: string): Promise<MeasuredService> {
    const adminToken = randomBytes(24).toString('base64url');
    const began = performance.now();
    const server = await Server.start({
      main: 'dist/apps/standalone/src/main.js',
      env: { DATA_DIR: directory, ADMIN_TOKEN: adminToken, DEMO: 'false', SANDBOX: 'false', SESSION_TTL: '3600' },
      ready: '/readyz',
      timeLimit: 600_000,
    });
    const ready = performance.now() - began;
    const readyCpu = server.cpuSeconds() ?? NaN;
    await untilQuiet(server);
    const start = {
      'start until ready': ready,
      'start until ready, processor': readyCpu * 1000,
      'catching up after the start': ((server.cpuSeconds() ?? NaN) - readyCpu) * 1000,
      memory: (server.memory() ?? NaN) / 2 ** 20,
    };
    return new MeasuredService(server, new Staff(server, adminToken), adminToken, start);
  }

  /** Milliseconds of processor time for each request of a login, for a poll, and for a page of a list. */
  async paths(relyingParty: RelyingParty): Promise<Costs> {
    const phone = await this.staff.newPhone();
    await this.#inTurn(20, () => this.#login(relyingParty, phone)); // compiles the code of each path
    await untilQuiet(this.server);
    const costs: Record<string, number> = {};
    const sessions = await this.#measured(costs, 'create', CREATIONS, () => relyingParty.create(challengeOf(newVerifier())));
    await this.#measured(costs, 'poll', POLLS, (index) =>
      this.#get(`/relying-party/v1/session/${sessions[index % sessions.length]!}/status`, relyingParty.headers),
    );
    const verifiers = Array.from({ length: LOGINS }, newVerifier);
    const logins = await this.#inTurn(LOGINS, (index) => relyingParty.create(challengeOf(verifiers[index]!)));
    const scans = await this.#measured(costs, 'scan', LOGINS, (index) =>
      phone.scan(qrPayload('countersign', logins[index]!, 'https://bench.example/waiting')),
    );
    await this.#measured(costs, 'confirm', LOGINS, async (index) => {
      const scanned = scans[index]!;
      if (!scanned.ok) throw new Error(`scan: ${scanned.status}`);
      const confirmed = await phone.confirm(PIN, scanned.body);
      if (!confirmed.ok) throw new Error(`confirm: ${confirmed.status}`);
    });
    const codes = await this.#measured(costs, 'completion', LOGINS, (index) => relyingParty.complete(logins[index]!));
    await this.#measured(costs, 'token', LOGINS, (index) => relyingParty.exchange(codes[index]!, verifiers[index]!));
    const admin = { authorization: `Bearer ${this.adminToken}` };
    await this.#measured(costs, 'list page', PAGES, () => this.#get('/admin/v1/clients?limit=50', admin));
    return costs;
  }

  stop(): Promise<void> {
    return this.server.stop();
  }

  async #measured<Answer>(costs: Record<string, number>, name: string, count: number, work: (index: number) => Promise<Answer>): Promise<Answer[]> {
    const before = this.server.cpuSeconds() ?? NaN;
    const answers = await this.#inTurn(count, work);
    costs[name] = (((this.server.cpuSeconds() ?? NaN) - before) * 1000) / count;
    return answers;
  }

  async #inTurn<Answer>(count: number, work: (index: number) => Promise<Answer>): Promise<Answer[]> {
    const answers: Answer[] = [];
    for (let index = 0; index < count; index += 1) answers.push(await work(index));
    return answers;
  }

  async #login(relyingParty: RelyingParty, phone: Phone): Promise<void> {
    const verifier = newVerifier();
    const session = await relyingParty.create(challengeOf(verifier));
    const scanned = await phone.scan(qrPayload('countersign', session, 'https://bench.example/waiting'));
    if (!scanned.ok) throw new Error(`scan: ${scanned.status}`);
    const confirmed = await phone.confirm(PIN, scanned.body);
    if (!confirmed.ok) throw new Error(`confirm: ${confirmed.status}`);
    await relyingParty.exchange(await relyingParty.complete(session), verifier);
  }

  async #get(path: string, headers: Readonly<Record<string, string>>): Promise<void> {
    const response = await fetch(this.server.url + path, { headers });
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    await response.arrayBuffer();
  }
}

const newVerifier = (): string => randomBytes(32).toString('base64url');
const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

const untilQuiet = async (server: Server): Promise<void> => {
  let quiet = 0;
  for (let second = 0; second < MOST_CATCHING_UP; second += 1) {
    const before = server.cpuSeconds() ?? 0;
    await pause(1_000);
    quiet = (server.cpuSeconds() ?? 0) - before < QUIET ? quiet + 1 : 0;
    if (quiet >= QUIET_SECONDS) return;
  }
  throw new Error(`the service was still busy ${MOST_CATCHING_UP} s after its start`);
};
