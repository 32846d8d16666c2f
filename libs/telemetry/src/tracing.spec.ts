import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { describe, expect, it } from '@jest/globals';

import { beginSpan } from '#kernel';

import { Metrics } from './metrics.js';
import { startTracing } from './tracing.js';

const PARENT = '4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7';

/** Records one span below each parent, at a collector that answers with the status, and answers what the collector got. */
const record = async ({ share = 1, status = 200, parents = [undefined] as (string | undefined)[] }) => {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => bodies.push(chunk.toString())).on('end', () => response.writeHead(status).end('{}'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const metrics = new Metrics();
  const tracing = await startTracing({ endpoint, share, serviceName: 'test', metrics });
  const contexts = parents.map((parent) => {
    const span = beginSpan(() => ({ name: 'work', kind: 'internal', parent, attributes: { long: 'x'.repeat(1_000) } }))!;
    span.set({ more: 1 });
    span.end();
    return span.traceparent;
  });
  await tracing.close();
  server.closeAllConnections();
  server.close();
  return { body: bodies.join(''), contexts, metrics: await metrics.registry.getSingleMetricAsString('trace_spans_total') };
};

describe('tracing', () => {
  it('sends what was recorded until its end, with long values cut', async () => {
    const { body, contexts, metrics } = await record({});
    expect(contexts).toEqual([expect.stringMatching(/^00-[\da-f]{32}-[\da-f]{16}-01$/)]);
    expect(body).toContain(contexts[0]!.slice(3, 35));
    expect(body).toContain(`"${'x'.repeat(256)}"`);
    expect(metrics).toContain('trace_spans_total{outcome="exported"} 1');
    expect(beginSpan(() => ({ name: 'later', kind: 'internal' }))).toBeUndefined();
  });

  it("follows the caller's flag, or its own share without a caller", async () => {
    const { body, contexts } = await record({ share: 0, parents: [undefined, `00-${PARENT}-00`, `00-${PARENT}-01`] });
    expect(contexts.map((context) => context.slice(-2))).toEqual(['00', '00', '01']);
    expect(body.match(/"spanId"/g)).toHaveLength(1);
    expect(body).toContain(contexts[2]!.slice(36, 52));
  });

  it('counts the spans that the collector refuses', async () => {
    const { metrics } = await record({ status: 400 });
    expect(metrics).toContain('trace_spans_total{outcome="lost"} 1');
  });
});
