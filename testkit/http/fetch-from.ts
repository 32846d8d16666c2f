import type { NestFastifyApplication } from '@nestjs/platform-fastify';

/** `fetch` without a network, so that what a request does can be told from everything else in the process. */
export const fetchFrom =
  (app: NestFastifyApplication): typeof fetch =>
  async (input, init) => {
    const { method, url, headers } = new Request(input, init);
    const payload = Buffer.from(await new Request(input, init).arrayBuffer());
    const answer = await app.inject({ method: method as 'POST', url: new URL(url).pathname, headers: Object.fromEntries(headers), payload });
    return new Response(answer.body, { status: answer.statusCode, headers: answer.headers as Record<string, string> });
  };
