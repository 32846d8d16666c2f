import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** The fields that it adds. A client has to ignore them (specification/answers.md). */
const ADDED = { addedLater: { by: 'a newer service' }, addedList: [1] };

/** Stands before a service and answers as a newer version of it would: each answer in JSON has fields more. */
export class NewerService implements AsyncDisposable {
  private constructor(private readonly server: Server) {}

  static async before(service: string): Promise<NewerService> {
    const server = createServer((request, response) => void passOn(service, request, response));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return new NewerService(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.server.close(), 'close');
    this.server.closeAllConnections();
    await closed;
  }
}

const passOn = async (service: string, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { method = 'GET', url = '/', headers: sent } = request;
  const body = await buffer(request);
  const headers = new Headers({ 'content-type': 'application/json', authorization: sent.authorization ?? '' });
  if (typeof sent['prefer'] === 'string') headers.set('prefer', sent['prefer']);
  const answer = await fetch(service + url, { method, headers, ...(body.length > 0 && { body: new Uint8Array(body) }) });
  const type = answer.headers.get('content-type') ?? 'text/plain';
  const text = await answer.text();
  const shown = type.startsWith('application/json') ? JSON.stringify({ ...(JSON.parse(text) as object), ...ADDED }) : text;
  response.writeHead(answer.status, { 'content-type': type }).end(shown);
};
