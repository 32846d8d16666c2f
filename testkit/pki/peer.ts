import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The answer of a peer: a body with its type, or a function that handles the response itself. */
export type PeerAnswer = { readonly type: string; readonly body: Buffer; readonly status?: number } | ((response: ServerResponse) => void);

export interface Peer extends AsyncDisposable {
  readonly url: string;
  /** The number of requests. */
  readonly asked: () => number;
}

/** An HTTP server on a free port, in place of a foreign trust service. */
export const startPeer = async (answer: (body: Buffer, request: IncomingMessage) => PeerAnswer | Promise<PeerAnswer>): Promise<Peer> => {
  let asked = 0;
  const server = createServer((request, response) => {
    asked += 1;
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
      const given = await answer(Buffer.concat(chunks), request);
      if (typeof given === 'function') given(response);
      else response.writeHead(given.status ?? 200, { 'content-type': given.type }).end(given.body);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    asked: () => asked,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
};
