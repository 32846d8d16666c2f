import { hostname } from 'node:os';

import { type NewSpan, recordSpans, type Span, type SpanAttributes, within } from '#kernel';
import type { Span as OpenSpan, SpanContext } from '@opentelemetry/api';
import type { SpanExporter } from '@opentelemetry/sdk-trace';

import type { Metrics } from './metrics.js';

export interface TracingOptions {
  /** Address of the collector, without `/v1/traces`. */
  readonly endpoint: string;
  /** The share of the traces that begin here and are recorded, from 0 to 1. */
  readonly share: number;
  readonly serviceName: string;
  readonly metrics: Metrics;
}

export interface Tracing {
  /** Sends what was recorded, for at most {@link FLUSH_TIME_LIMIT}, and records no more. */
  close(): Promise<void>;
}

/** Milliseconds for one export, with its repetitions. */
const TIMEOUT = 5_000;
/** Milliseconds that the end of the process waits for the collector. */
const FLUSH_TIME_LIMIT = 3_000;
/** Characters of an attribute. Ids, patterns and codes are shorter. */
const LONGEST_VALUE = 256;

/**
 * Records spans with the OpenTelemetry SDK and sends them in batches by OTLP over HTTP. A slow or lost collector costs spans and nothing else: 2,048 of
 * them wait in memory, further ones are dropped. The packages are loaded here, and only here (ADR 0040).
 */
export const startTracing = async ({ endpoint, share, serviceName, metrics }: TracingOptions): Promise<Tracing> => {
  const [api, sdk, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const exporter = counted(new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis: TIMEOUT }), metrics);
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName, 'service.instance.id': `${hostname()}-${process.pid}` }),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(share) }),
    spanLimits: { attributeValueLengthLimit: LONGEST_VALUE },
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter, exportTimeoutMillis: TIMEOUT })],
  });
  const tracer = provider.getTracer('countersign');
  const { ROOT_CONTEXT, SpanKind, trace } = api;
  const kinds = {
    server: SpanKind.SERVER,
    client: SpanKind.CLIENT,
    producer: SpanKind.PRODUCER,
    consumer: SpanKind.CONSUMER,
    internal: SpanKind.INTERNAL,
  };
  const begin = ({ name, kind, parent, link, attributes = {} }: NewSpan): Span => {
    const above = parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, contextOf(parent));
    const links = link === undefined ? [] : [{ context: contextOf(link) }];
    return new RecordedSpan(tracer.startSpan(name, { kind: kinds[kind], attributes: { ...attributes }, links }, above), api.SpanStatusCode.ERROR);
  };
  recordSpans({ begin });
  return {
    close: async () => {
      recordSpans(undefined);
      await within(FLUSH_TIME_LIMIT, provider.shutdown()).catch(() => undefined);
    },
  };
};

class RecordedSpan implements Span {
  readonly traceparent: string;

  constructor(
    private readonly span: OpenSpan,
    private readonly failed: number,
  ) {
    const { traceId, spanId, traceFlags } = span.spanContext();
    this.traceparent = `00-${traceId}-${spanId}-${traceFlags & 1 ? '01' : '00'}`;
  }

  set(attributes: SpanAttributes): void {
    this.span.setAttributes({ ...attributes });
  }

  end(failure?: string): void {
    if (failure !== undefined) this.span.setAttribute('error.type', failure).setStatus({ code: this.failed });
    this.span.end();
  }
}

/** The exporter, with a count of what became of the spans. */
const counted = (exporter: SpanExporter, { traceSpans }: Metrics): SpanExporter => ({
  export: (spans, done) =>
    exporter.export(spans, (result) => {
      traceSpans.inc({ outcome: (result.code as number) === SUCCESS ? 'exported' : 'lost' }, spans.length);
      done(result);
    }),
  shutdown: () => exporter.shutdown(),
});

/** `ExportResultCode.SUCCESS` of the SDK. */
const SUCCESS = 0;

const contextOf = (traceparent: string): SpanContext => ({
  traceId: traceparent.slice(3, 35),
  spanId: traceparent.slice(36, 52),
  traceFlags: Number.parseInt(traceparent.slice(53), 16) & 1,
  isRemote: true,
});
