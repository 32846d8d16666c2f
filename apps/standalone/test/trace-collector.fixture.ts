import { startPeer } from '#testkit/pki/peer';

/** A span as OTLP/JSON holds it. */
export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status: { readonly code?: number };
}

interface Exported {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly CollectedSpan[] }[] }[];
}

export interface TraceCollector extends AsyncDisposable {
  /** Without a slash at its end. */
  readonly url: string;
  /** The bodies of all exports, as they came. */
  readonly bodies: string[];
  /** The paths that they were sent to. */
  readonly paths: (string | undefined)[];
  spans(): readonly CollectedSpan[];
}

/** A collector of traces: OTLP over HTTP, in JSON. */
export const startTraceCollector = async (): Promise<TraceCollector> => {
  const bodies: string[] = [];
  const paths: (string | undefined)[] = [];
  const peer = await startPeer((body, { url }) => {
    bodies.push(body.toString());
    paths.push(url);
    return { type: 'application/json', body: Buffer.from('{}') };
  });
  return {
    url: peer.url.replace(/\/$/, ''),
    bodies,
    paths,
    spans: () =>
      bodies
        .map((body) => JSON.parse(body) as Exported)
        .flatMap(({ resourceSpans }) => resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))),
    [Symbol.asyncDispose]: () => peer[Symbol.asyncDispose](),
  };
};

/** The value of an attribute, as text. */
export const attributeOf = ({ attributes }: CollectedSpan, key: string): string | undefined => {
  const value = attributes.find((each) => each.key === key)?.value;
  return value && String(Object.values(value)[0]);
};
