import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { decodeJwt } from 'jose';

/** A notice that has arrived whole. */
export interface ReceivedNotice {
  readonly kind: 'ping' | 'logout';
  /** The `auth_req_id` of a ping, the `sub` of a logout token. */
  readonly about: string;
  /** Of a ping: what came as `Authorization`. Of a logout: the token. */
  readonly credential: string;
  /** Whether the answer was 204. */
  readonly taken: boolean;
}

/** Of the notices that come for the first time, one in so many is refused and one in so many is cut off. */
const ONE_IN = 4;

/** The server of a relying party for pings and logout tokens, in the drill's own process, so that it outlives the services. */
export class NoticeReceiver {
  readonly received: ReceivedNotice[] = [];
  readonly #known = new Set<string>();
  readonly #server: Server = createServer((request, response) => this.#take(request, response));

  static async open(): Promise<NoticeReceiver> {
    const receiver = new NoticeReceiver();
    await new Promise<void>((resolve, reject) => receiver.#server.once('error', reject).listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  /** The address of these notices. */
  url(kind: ReceivedNotice['kind']): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/${kind}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    response.on('error', () => undefined);
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      const notice = request.url === '/ping' ? ping(request, text) : logout(text);
      this.received.push({ ...notice, taken: this.#answer(`${notice.kind} ${notice.about}`, response) });
    });
  }

  #answer(notice: string, response: ServerResponse): boolean {
    const isFirst = !this.#known.has(notice);
    this.#known.add(notice);
    const turn = isFirst ? this.#known.size % ONE_IN : 0;
    if (turn === 1) response.writeHead(503).end();
    else if (turn === 2) response.destroy();
    else response.writeHead(204).end();
    return turn !== 1 && turn !== 2;
  }
}

const ping = ({ headers }: IncomingMessage, text: string) => ({
  kind: 'ping' as const,
  about: (JSON.parse(text) as { auth_req_id: string }).auth_req_id,
  credential: headers.authorization ?? '',
});

const logout = (text: string) => {
  const token = new URLSearchParams(text).get('logout_token') ?? '';
  return { kind: 'logout' as const, about: decodeJwt(token).sub ?? '', credential: token };
};
