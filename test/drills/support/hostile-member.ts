import { randomBytes, randomUUID } from 'node:crypto';

import { type Answer, type HttpRequest, newPkce, type Phone, PortalBrowser, RelyingParty, Service, Staff } from '../../support/index.js';

/** The address of the member: limits that count callers hold the others, at their own addresses, apart. */
const ADDRESS = '127.0.0.66';
/** How often each deed is done at the same time. */
const AT_ONCE = 2;
/** Milliseconds for which the approvals of the member are left to the deeds that approve. */
const APPROVING_FIRST = 5_000;

/** The same service, called from another address. */
class ServiceFrom extends Service {
  constructor(
    { baseUrls, loginUrl, adminToken, staleness }: HostileTools['service'],
    private readonly from: string,
  ) {
    super(baseUrls, loginUrl, adminToken, staleness);
  }

  override sendUnchecked(request: HttpRequest): Promise<Answer> {
    return super.sendUnchecked({ ...request, from: this.from });
  }

  /** No answer is held against the reference: the member sends more than the suite could check. */
  override send(request: HttpRequest): Promise<Answer> {
    return this.sendUnchecked(request);
  }
}

export interface HostileTools {
  readonly service: Pick<Service, 'baseUrls' | 'loginUrl' | 'adminToken' | 'staleness'>;
  /** Where the portal is. */
  readonly portal: string;
  /** Base64: a picture that costs the decoder much, and one that says to be small and is large. */
  readonly pictures: { readonly costly: string; readonly bomb: string };
  /** Takes the webhooks of the member. */
  readonly receiver: string;
}

type Deed = () => Promise<Pick<Answer, 'status'>>;

/** A member, an owner of one tenant, who does everything that a member may, as fast as the service answers, and asks for no patience. */
export class HostileMember {
  /** How often each deed was answered so, by deed and status. */
  readonly answers = new Map<string, Map<number, number>>();
  /** The requests without an answer. */
  readonly failures: string[] = [];
  readonly #deeds: Readonly<Record<string, Deed>>;
  readonly #working: Promise<void>[] = [];
  #running = true;
  /** One approval after the other, since they come in one inbox. */
  #approving: Promise<unknown> = Promise.resolve();
  /** Resolves when no more approvals can be asked for, or after a while. Until then the deeds that approve have them. */
  readonly #approvalsSpent = Promise.withResolvers<void>();

  private constructor(
    readonly client: RelyingParty,
    private readonly browser: PortalBrowser,
    private readonly phone: Phone,
    tools: HostileTools,
  ) {
    this.#deeds = this.#all(tools);
  }

  static async join(tools: HostileTools): Promise<HostileMember> {
    const service = new ServiceFrom(tools.service, ADDRESS);
    const client = await RelyingParty.register(service);
    const staff = new Staff(service);
    const { link } = await staff.ask('POST', `/clients/${client.clientId}/invitations`, { label: 'mallory', role: 'owner' });
    const phone = await staff.newPhone();
    const browser = new PortalBrowser(tools.portal, ADDRESS);
    await browser.logIn(service, phone, String(link));
    return new HostileMember(client, browser, phone, tools);
  }

  begin(): void {
    setTimeout(() => this.#approvalsSpent.resolve(), APPROVING_FIRST).unref();
    for (const [name, deed] of Object.entries(this.#deeds))
      for (let each = 0; each < AT_ONCE; each += 1) this.#working.push(this.#repeat(name, deed));
  }

  /** Resolves when the last requests are answered. */
  async stop(): Promise<void> {
    this.#running = false;
    await Promise.all(this.#working);
  }

  async #repeat(name: string, deed: Deed): Promise<void> {
    const counts = this.answers.get(name) ?? new Map<number, number>();
    this.answers.set(name, counts);
    while (this.#running) {
      try {
        const { status } = await deed();
        counts.set(status, (counts.get(status) ?? 0) + 1);
      } catch (error) {
        this.failures.push(`${name}: ${String(error)}`);
      }
    }
  }

  #all({ pictures, receiver }: HostileTools): Readonly<Record<string, Deed>> {
    const { client, browser } = this;
    const own = `/admin/v1/clients/${client.clientId}`;
    const call = (method: string, path: string, json?: unknown) => browser.call(method, path, json === undefined ? {} : { json });
    /** Asks for an approval that stays open, once those that are given are over. */
    const afterwards = (method: string, path: string, json?: unknown) => this.#approvalsSpent.promise.then(() => call(method, path, json));
    const get =
      (path: string): Deed =>
      () =>
        call('GET', `${own}${path}`);
    const idOf = async (path: string, list: string, name: string): Promise<string> => {
      const { json } = await call('GET', `${own}${path}`);
      const found = (json?.[list] as Record<string, string>[] | undefined) ?? [];
      return found[Math.floor(Math.random() * found.length)]?.[name] ?? randomUUID();
    };
    const endpoint = async () => `${own}/webhook-endpoints/${await idOf('/webhook-endpoints', 'webhookEndpoints', 'endpointId')}`;
    return {
      'uploads a costly logo': () => call('PUT', `${own}/logo`, { image: pictures.costly }),
      'uploads a bomb': () => call('PUT', `${own}/logo`, { image: pictures.bomb }),
      'removes the logo': () => call('DELETE', `${own}/logo`),
      'invites, and approves it': () => this.#approved(() => call('POST', `${own}/invitations`, { label: `m-${word()}`, role: 'viewer' })),
      'withdraws an invitation': async () => call('DELETE', `${own}/invitations/${await idOf('/members', 'invitations', 'invitationId')}`),
      'switches a protection off, and approves it': () => this.#approved(() => call('PATCH', own, { dynamic_qr: false })),
      'switches a protection on': () => call('PATCH', own, { dynamic_qr: true }),
      'asks for another redirect URI': () => afterwards('PATCH', own, { redirect_uris: [client.redirectUri, `https://${word()}.example/back`] }),
      'asks for another secret': () => afterwards('POST', `${own}/secret`),
      'adds an endpoint': () => call('POST', `${own}/webhook-endpoints`, { url: `${receiver}${word()}` }),
      'changes an endpoint': async () => call('PATCH', await endpoint(), { enabled: Math.random() < 0.5 }),
      pings: async () => call('POST', `${await endpoint()}/ping`),
      recovers: async () => call('POST', `${await endpoint()}/recover`, { since: 0 }),
      'lists deliveries': async () => call('GET', `${await endpoint()}/deliveries?limit=100`),
      'reads the client': get(''),
      'reads the logo': get('/logo'),
      'lists the team': get('/members'),
      'reads the funnel': get('/login-funnel'),
      'lists subject IDs': get('/subject-migrations?limit=100'),
      'asks for timelines': () => get(`/sessions/${randomUUID()}/timeline`)(),
      'lists own sessions': () => call('GET', '/admin/v1/own/sessions'),
      'lists own phones': () => call('GET', '/admin/v1/own/phones'),
      'begins logins at the portal': () => new PortalBrowser(browser.origin, ADDRESS).call('POST', '/portal/v1/login', { json: {} }),
      'creates logins': () => client.post({ hosted_page: true }),
      'pushes to a person': async () => client.post({ push: true, subject_id: randomUUID() }),
      'waits in long polls': async () => {
        const { json } = await client.post();
        const sessionId = String(json?.['sessionId'] ?? randomUUID());
        return client.status({ sessionId }, { prefer: 'wait=1' }, '?since=PENDING');
      },
      'guesses codes': () => client.token(word(), newPkce().verifier),
      'asks with a wrong secret': () => client.call('POST', '/relying-party/v1/session', {}, { authorization: 'Basic bm86bm8=' }),
      'asks for other tenants': () => call('GET', `/admin/v1/clients/${randomUUID()}`),
    };
  }

  /** Asks, and approves on the phone where the service asks for it. */
  #approved(ask: () => Promise<Answer>): Promise<Answer> {
    const approved = this.#approving.then(async () => {
      const answer = await ask();
      if (answer.status === 429) this.#approvalsSpent.resolve();
      return answer.status === 202 ? this.browser.approve(this.phone, answer) : answer;
    });
    this.#approving = approved.catch(() => undefined);
    return approved;
  }
}

const word = (): string => randomBytes(6).toString('hex');
