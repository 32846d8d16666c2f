import { createServer, type IncomingHttpHeaders } from 'node:http';

import { verifyWebhook, type WebhookEvent, WebhookRefused } from '#clients/relying-party';

/** The storage of a relying party: a table of seen ids, a queue that survives a restart, the sessions. The test keeps them in memory. */
export interface Dependencies {
  readonly secrets: readonly string[];
  readonly inbox: { hasSeen(id: string): Promise<boolean>; put(event: WebhookEvent): Promise<void> };
  readonly sessions: {
    latestSequence(sessionId: string): Promise<number>;
    moveTo(sessionId: string, sequence: number, status: string): Promise<void>;
  };
  readonly now: () => number;
}

/** The code of `docs/webhooks.md`: the page shows slices of this file, and a test receives real webhooks with it. */
export const consumer = ({ secrets, inbox, sessions, now }: Dependencies) => {
  const receive = async (headers: IncomingHttpHeaders, body: Buffer): Promise<number> => {
    let event: WebhookEvent;
    try {
      event = verifyWebhook({ headers, body, secrets, now: now() });
    } catch (error) {
      if (error instanceof WebhookRefused) return 400;
      throw error;
    }
    if (!(await inbox.hasSeen(event.id))) await inbox.put(event);
    return 204;
  };

  const work = async ({ type, data }: WebhookEvent): Promise<void> => {
    const { sessionId, sequence, status } = data;
    if (!type.startsWith('session.') || sessionId === undefined || sequence === undefined || status === undefined) return;
    if (sequence <= (await sessions.latestSequence(sessionId))) return;
    await sessions.moveTo(sessionId, sequence, status);
  };

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      receive(request.headers, Buffer.concat(chunks)).then(
        (status) => response.writeHead(status).end(),
        () => response.writeHead(500).end(),
      );
    });
  });

  return { receive, work, server };
};
