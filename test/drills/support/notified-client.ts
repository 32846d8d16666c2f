import { type Answer, expectOk, type Phone, RelyingParty, type Service, word } from '../../support/index.js';
import { NoticeReceiver, type ReceivedNotice } from './notice-receiver.js';
import { untilAnswered } from './retry.js';

/** A client that is told by pings and logout tokens, its server, and what it must have been told. */
export class NotifiedClient {
  /** The logins without a browser that were decided: the `auth_req_id` of each, and the token that has to come with its ping. */
  readonly decided = new Map<string, string>();
  /** The subjects that are to be logged out there. */
  readonly loggedOut = new Set<string>();
  /** Those of all requests, also of the ones whose answers were lost. */
  readonly #tokens = new Set<string>();

  private constructor(
    readonly shop: RelyingParty,
    readonly receiver: NoticeReceiver,
    private readonly service: Service,
  ) {}

  static async register(service: Service): Promise<NotifiedClient> {
    const receiver = await NoticeReceiver.open();
    const shop = await RelyingParty.register(service, {
      backchannel_client_notification_endpoint: receiver.url('ping'),
      backchannel_logout_uri: receiver.url('logout'),
    });
    return new NotifiedClient(shop, receiver, service);
  }

  /** The person of the phone logs in without a browser, or declines to. Each request that got no answer is repeated. */
  async logIn(phone: Phone, sub: string, decision: 'approve' | 'decline'): Promise<void> {
    let token = '';
    const begun = await untilAnswered(() => {
      token = `token-${word()}`;
      this.#tokens.add(token);
      return this.#post('bc-authorize', { scope: 'openid', login_hint: sub, client_notification_token: token });
    });
    const { auth_req_id: authReqId } = expectOk(begun) as { auth_req_id: string };
    // A request whose answer was lost is decided too.
    for (const sessionId of await pendingIds(phone)) {
      expectOk(await untilAnswered(() => phone.scan(sessionId, { via: 'push' })));
      expectOk(await untilAnswered(() => (decision === 'approve' ? phone.confirm(sessionId) : phone.decline(sessionId))));
    }
    this.decided.set(authReqId, token);
    if (decision === 'decline') return;
    const form = { grant_type: 'urn:openid:params:grant-type:ciba', auth_req_id: authReqId };
    let isRepeated = false;
    const { status, text } = await untilAnswered(
      () => this.#post('token', form),
      () => (isRepeated = true),
    );
    // The tokens are handed out once: a repetition may come too late.
    if (status !== 200 && !isRepeated) throw new Error(`POST token: ${status} ${text}`);
  }

  /** What the client was not told, and what it should not have been told, one line each. */
  violations(): string[] {
    const { received } = this.receiver;
    const taken = received.filter((notice) => notice.taken);
    const told = new Set(taken.map(({ kind, about }) => `${kind} ${about}`));
    const required = [...[...this.decided.keys()].map((authReqId) => `ping ${authReqId}`), ...[...this.loggedOut].map((sub) => `logout ${sub}`)];
    const lost = required.filter((notice) => !told.has(notice)).map((notice) => `lost ${notice}`);
    const foreign = received.filter((notice) => !this.#isOwn(notice)).map(({ kind, about }) => `not its own ${kind} ${about}`);
    return [...lost, ...foreign].map((line) => `${this.shop.name}: ${line}`);
  }

  #isOwn({ kind, about, credential }: ReceivedNotice): boolean {
    if (kind === 'logout') return this.loggedOut.has(about);
    const token = this.decided.get(about);
    const came = credential.replace(/^Bearer /, '');
    return token === undefined ? this.#tokens.has(came) : came === token;
  }

  #post(path: string, form: Readonly<Record<string, string>>): Promise<Answer> {
    const headers = { authorization: this.shop.authorization, 'content-type': 'application/x-www-form-urlencoded' };
    return this.service.sendUnchecked({ method: 'POST', path: `/openid/${path}`, headers, raw: new URLSearchParams(form).toString() });
  }
}

const pendingIds = async (phone: Phone): Promise<readonly string[]> => {
  const { sessions } = expectOk(await untilAnswered(() => phone.pending())) as { sessions: readonly { sessionId: string }[] };
  return sessions.map(({ sessionId }) => sessionId);
};
