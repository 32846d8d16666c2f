import { eventually } from '#testkit/kernel/eventually';

import { type Answer, Browser, expectOk, type HttpRequest, type Phone, type Service, Staff } from '../../support/index.js';

type Send = (request: HttpRequest) => Promise<Answer>;

const COOKIE = '__Host-svc_portal';

/** An administrator of a host in production, with a session of the portal and the phone that approves what the session asks for. */
export class Founder {
  #cookie = '';

  private constructor(
    private readonly service: Service,
    private readonly phone: Phone,
    /** Sends to the host itself. */
    private readonly send: Send,
  ) {}

  /** The first one by the admin token of the first start, which is of no use afterwards; the next ones by the first. */
  static async join(service: Service, send: Send, label = 'founder'): Promise<Founder> {
    const staff = new Staff(service);
    const founder = new Founder(service, await staff.newPhone(), send);
    const { link } = await staff.ask('POST', '/invitations', { label, roles: ['read', 'support', 'operator', 'security'] });
    await founder.#logIn(new URL(String(link)).hash.replace('#invitation=', ''));
    return founder;
  }

  /** One request of the staff. A session that is over begins anew; a critical change is approved on the phone. */
  async call(request: HttpRequest): Promise<Answer> {
    const answer = await this.#ask(request);
    if (answer.status === 401) {
      await this.#logIn();
      return this.call(request);
    }
    const approval = answer.json?.['approval'] as { approvalId: string; verificationCode: string } | undefined;
    if (answer.status !== 202 || !approval) return answer;
    const { sessions } = expectOk(await this.phone.pending()) as { sessions: readonly { sessionId: string }[] };
    const { sessionId = '' } = sessions.at(-1) ?? {};
    expectOk(await this.phone.scan(sessionId, { via: 'push', shows_details: true }));
    expectOk(await this.phone.confirm(sessionId, { code: approval.verificationCode }));
    return this.#ask({ method: 'POST', path: `/admin/v1/approvals/${approval.approvalId}/completion` });
  }

  /** Confirms on the phone what the service itself has asked. */
  async confirmAsked(): Promise<void> {
    const ids = async (): Promise<readonly string[]> => this.phone.pendingIds();
    await eventually(async () => (await ids()).length > 0, { what: 'the service asks the phone', within: 60_000 });
    const sessionId = (await ids()).at(-1) ?? '';
    expectOk(await this.phone.scan(sessionId, { via: 'push', shows_details: true }));
    expectOk(await this.phone.confirm(sessionId));
  }

  #ask({ headers = {}, ...request }: HttpRequest): Promise<Answer> {
    const { authorization: _, ...others } = headers as Record<string, string>;
    return this.send({ ...request, headers: { ...others, cookie: `${COOKIE}=${this.#cookie}`, 'x-service-portal': '1' } });
  }

  /** Over the portal and the hosted page, as the browser does. */
  async #logIn(invitation?: string): Promise<void> {
    const begun = await this.send({
      method: 'POST',
      path: '/portal/v1/login',
      headers: { 'x-service-portal': '1' },
      json: invitation === undefined ? {} : { invitation },
    });
    const login = cookieOf(begun, `${COOKIE}_login`);
    const handoffToken = new URL(expectOk(begun)['redirect'] as string).searchParams.get('t') ?? '';
    const hosted = new Browser(this.service);
    const { sessionId, qrPayload } = expectOk(await hosted.claim(handoffToken, { prefer: 'return=representation' })) as Record<string, string>;
    const { t, a } = Object.fromEntries(new URL(qrPayload ?? '').searchParams);
    expectOk(await this.phone.scan(sessionId ?? '', { t: Number(t), a }));
    expectOk(await this.phone.confirm(sessionId ?? ''));
    const { redirect } = expectOk(await hosted.complete(sessionId ?? ''));
    const { pathname, search } = new URL(redirect as string);
    const done = await this.send({ method: 'GET', path: pathname + search, headers: { cookie: `${COOKIE}_login=${login}` } });
    this.#cookie = cookieOf(done, COOKIE);
  }
}

const cookieOf = ({ headers }: Answer, name: string): string => {
  const lines = ([] as string[]).concat(headers['set-cookie'] ?? []);
  return (
    lines
      .find((line) => line.startsWith(`${name}=`))
      ?.split(';', 1)[0]
      ?.slice(name.length + 1) ?? ''
  );
};
