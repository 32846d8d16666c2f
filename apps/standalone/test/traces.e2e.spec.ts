import type { IncomingHttpHeaders } from 'node:http';

import { describe, expect, it } from '@jest/globals';

import { startPeer } from '#testkit/pki/peer';

import { HASH, signWith, startForeignAuthority, useFolder } from './foreign-trust-services.fixture.js';
import { attributeOf, type CollectedSpan, startTraceCollector, type TraceCollector } from './trace-collector.fixture.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';
const TRACEPARENT = `00-${TRACE}-${CALLER}-01`;

useFolder();

/** One signature, whose session a caller with a trace of its own creates; the receiver of webhooks has it when this ends. */
const signTraced = async (settings: Record<string, string>, headers = { traceparent: TRACEPARENT }) => {
  await using tsa = await startForeignAuthority();
  const received = Promise.withResolvers<IncomingHttpHeaders>();
  await using receiver = await startPeer((_body, request) => {
    received.resolve(request.headers);
    return { type: 'text/plain', body: Buffer.from('') };
  });
  const trust = { TSA_URLS: tsa.url, TSA_ISSUERS: tsa.rootFile, TRUST_ANCHORS: tsa.rootFile };
  let metrics = '';
  const before = async ({ baseUrl }: { readonly baseUrl: string }): Promise<void> => {
    await received.promise;
    metrics = await (await fetch(`${baseUrl}/metrics`, { headers: { accept: 'application/openmetrics-text' } })).text();
  };
  const outcome = await signWith(() => ({ ...trust, ...settings }), { webhooks: receiver.url, headers, before });
  return { ...outcome, webhook: await received.promise, stamp: tsa.headers[0], metrics };
};

/** The spans above a span, by name, from the first one on. */
const pathTo = (span: CollectedSpan, spans: readonly CollectedSpan[]): string[] => {
  const above = spans.find(({ spanId }) => spanId === span.parentSpanId);
  return [...(above ? pathTo(above, spans) : []), span.name];
};

const named = ({ spans }: TraceCollector, name: string): CollectedSpan => {
  const found = spans().find((span) => span.name === name);
  if (!found)
    throw new Error(
      `no span ${name} among ${spans()
        .map((span) => span.name)
        .join(', ')}`,
    );
  return found;
};

const traceparentOf = ({ traceId, spanId }: CollectedSpan): string => `00-${traceId}-${spanId}-01`;

describe('the trace of a signature', () => {
  it("leads from the relying party's request to the trust services and the webhook, and holds nothing secret or personal", async () => {
    await using collector = await startTraceCollector();
    const { status, sessionId, webhook, stamp, metrics } = await signTraced({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_SERVICE_NAME: 'all-in-one',
    });
    expect(status).toBe('COMPLETED');
    expect(new Set(collector.paths)).toEqual(new Set(['/v1/traces']));

    const spans = collector.spans().filter(({ traceId }) => traceId === TRACE);
    const create = 'POST /relying-party/v1/session';
    const scanned = [create, 'decide session'];
    const signed = [...scanned, 'decide session', 'process session.confirmed'];
    expect(spans.map((span) => pathTo(span, spans))).toEqual(
      expect.arrayContaining([
        [create],
        [create, 'append session'],
        [...scanned, 'append session'],
        [...signed, 'time-stamp', 'POST'],
        [...signed, 'revocation statements', 'GET'],
        [...signed, 'append session'],
        [...signed, 'process session.completed', 'webhook session.completed'],
      ]),
    );
    const ids = new Set(spans.map(({ spanId }) => spanId));
    expect(spans.filter(({ parentSpanId = '' }) => parentSpanId !== CALLER && !ids.has(parentSpanId))).toEqual([]);
    expect(new Set(spans.flatMap((span) => attributeOf(span, 'countersign.session_id') ?? []))).toEqual(new Set([sessionId]));

    expect(stamp?.['traceparent']).toBe(traceparentOf(named(collector, 'POST')));
    const delivery = named(collector, 'webhook session.completed');
    expect(webhook['traceparent']).toBe(traceparentOf(delivery));
    expect(attributeOf(delivery, 'http.response.status_code')).toBe('200');

    const requests = collector.spans().filter(({ name }) => name.startsWith('POST /app/v1/'));
    const linked = spans.flatMap(({ links = [] }) => links.map(({ spanId }) => spanId));
    expect(requests.map(({ spanId }) => spanId)).toEqual(expect.arrayContaining(linked));
    expect(linked).toHaveLength(2); // scan and confirmation

    const exemplar = `^http_request_duration_seconds_bucket\\{.*route="/relying-party/v1/session".* # \\{trace_id="${TRACE}"\\}`;
    expect(metrics).toMatch(new RegExp(exemplar, 'm'));
    const steps = [...metrics.matchAll(/^session_steps_total\{kind="signing",step="(\w+)"\} 1$/gm)].map(([, step]) => step);
    expect(steps).toEqual(['created', 'scanned', 'confirmed', 'completed']);

    const all = collector.bodies.join('\n');
    expect(all).toContain('all-in-one');
    for (const secret of ['Mari', 'Maasikas', '48001010001', '1980-01-01', 'contract.txt', HASH, 'Notary', 'Basic ', 'Bearer ', 'rp.example'])
      expect(all).not.toContain(secret);
    const keys = collector.spans().flatMap(({ attributes }) => attributes.map(({ key }) => key));
    expect(ATTRIBUTES).toEqual(expect.arrayContaining(keys));
  });
});

/** A new one has to be looked at: no attribute may hold anything secret or personal. */
const ATTRIBUTES = [
  'countersign.attempt',
  'countersign.delivery_id',
  'countersign.endpoint_id',
  'countersign.events',
  'countersign.revision',
  'countersign.session_id',
  'error.type',
  'http.request.method',
  'http.response.status_code',
  'http.route',
  'messaging.consumer.group.name',
  'messaging.destination.name',
  'server.address',
];
