import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Phone } from '#clients/software-phone';

import { firstPortalLink } from '../src/first-portal-link.js';
import { PIN, ServiceOnData } from './release-data.fixture.js';

type Body = Record<string, unknown>;

/** A browser's cookies by name. */
export type Jar = Map<string, string>;

/** The header that the hosted page sends. */
const HOSTED = { 'x-service-login': '1' };

const codeOf = (link: unknown): string => String(link).split('#invitation=')[1] ?? '';

/** The service with its portal, and browsers and phones that log in to it over HTTP. */
export class PortalWorld {
  /** The phone by which each browser has logged in. */
  readonly #phones = new Map<Jar, Phone>();

  private constructor(
    readonly service: ServiceOnData,
    private readonly directory: string,
  ) {}

  /** With further settings of the service. */
  static async start(settings: Readonly<Record<string, string>> = {}): Promise<PortalWorld> {
    const directory = await mkdtemp(join(tmpdir(), 'portal-'));
    return new PortalWorld(await ServiceOnData.start(directory, Date.now() + 3_600_000, settings), directory);
  }

  async close(): Promise<void> {
    await this.service.standalone.close();
    await rm(this.directory, { recursive: true, force: true });
  }

  get origin(): string {
    return this.service.standalone.platform.settings.baseUrl;
  }

  /** The code of the link that the terminal prints. */
  async firstCode(): Promise<string> {
    return codeOf(await firstPortalLink(this.service.standalone.platform));
  }

  async phone(personalCode: string): Promise<Phone> {
    return this.service.enrol(await this.service.person(personalCode), 'Phone');
  }

  /** Calls the service as a browser does, with its cookies; `headers` as the page sends them unless others are given. */
  async fetch(
    jar: Jar,
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = { 'x-service-portal': '1' },
  ): Promise<Response> {
    const response = await fetch(path.startsWith('http') ? path : this.origin + path, {
      method,
      redirect: 'manual',
      headers: {
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [name = '', value = ''] = cookie.split(';')[0]?.split('=') ?? [];
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  }

  /** One call of the page. A critical change is approved on the phone of the login, and carried out. */
  async call(jar: Jar, method: string, path: string, body?: object): Promise<{ status: number; body: Body }> {
    const answer = await this.callOnce(jar, method, path, body);
    const phone = this.#phones.get(jar);
    const approval = answer.body['approval'] as { approvalId: string; title: string; verificationCode: string } | undefined;
    if (answer.status !== 202 || !approval || !phone) return answer;
    await this.approve(phone, approval);
    return this.callOnce(jar, 'POST', `/admin/v1/approvals/${approval.approvalId}/completion`);
  }

  /** One call of the page, whatever it answers. */
  async callOnce(jar: Jar, method: string, path: string, body?: object): Promise<{ status: number; body: Body }> {
    const response = await this.fetch(jar, method, path, body);
    return { status: response.status, body: (await response.json().catch(() => ({}))) as Body };
  }

  /** The person finds the approval in the phone's inbox, and approves it. Answers the details that the phone showed. */
  async approve(phone: Phone, { title, verificationCode: code }: { title: string; verificationCode: string }): Promise<string | undefined> {
    const inbox = await phone.pending();
    if (!inbox.ok) throw new Error('the inbox answers');
    for (const { sessionId } of inbox.body.sessions.toReversed()) {
      const scanned = await phone.scan(sessionId, { via: 'push' });
      if (!scanned.ok || scanned.body.title !== title) continue;
      const confirmed = await phone.confirm(PIN, scanned.body, { code });
      if (!confirmed.ok) throw new Error(`the approval was refused: ${String(confirmed.body.errorCode)}`);
      return scanned.body.details;
    }
    throw new Error(`no approval of "${title}" is in the inbox`);
  }

  /** Begins a login in the jar. Answers its session and the QR code that the hosted page shows now. */
  async begin(jar: Jar, invitation?: string): Promise<{ readonly sessionId: string; readonly qrPayload: string }> {
    const begun = await this.call(jar, 'POST', '/portal/v1/login', invitation === undefined ? {} : { invitation });
    const handoffToken = new URL(begun.body['redirect'] as string).searchParams.get('t');
    const headers = { ...HOSTED, prefer: 'return=representation' };
    return (await (await this.fetch(jar, 'POST', '/login-ui/v1/session/claim', { handoffToken }, headers)).json()) as never;
  }

  /** Sets the clock of the service and of its phones forward. */
  advance(seconds: number): Promise<{ status: number }> {
    return this.call(new Map(), 'POST', '/sandbox/v1/clock', { advance_seconds: seconds });
  }

  /** The address to which the hosted page sends the browser after the phone's approval. The login is begun in the jar. */
  async callbackOf(jar: Jar, phone: Phone, invitation?: string): Promise<string> {
    const { sessionId, qrPayload } = await this.begin(jar, invitation);
    await phone.scan(qrPayload);
    await phone.confirm(PIN);
    const completed = await this.complete(jar, sessionId);
    return ((await completed.json()) as { redirect: string }).redirect;
  }

  /** The call by which the hosted page ends a login. */
  complete(jar: Jar, sessionId: string): Promise<Response> {
    return this.fetch(jar, 'POST', `/login-ui/v1/session/completion?sessionId=${sessionId}`, {}, HOSTED);
  }

  /** Logs in and answers where the browser is led. */
  async logIn(jar: Jar, phone: Phone, invitation?: string): Promise<string | null> {
    const location = (await this.fetch(jar, 'GET', await this.callbackOf(jar, phone, invitation), undefined, {})).headers.get('location');
    this.#phones.set(jar, phone);
    return location;
  }

  /** Invites and answers the code of the link. */
  async invite(jar: Jar, path: string, body: object): Promise<string> {
    return codeOf((await this.call(jar, 'POST', `/admin/v1${path}`, body)).body['link']);
  }
}
