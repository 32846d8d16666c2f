/** A span, as the pages show it. Times are milliseconds since the epoch, with fractions. */
export interface SeenSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly service: string;
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  readonly failed: boolean;
  readonly attributes: readonly (readonly [string, string])[];
  /** Ids of the other traces that it links to. */
  readonly links: readonly string[];
}

/** OTLP numbers them: SPAN_KIND_INTERNAL is 1. */
const KINDS = ['', 'internal', 'server', 'client', 'producer', 'consumer'];
const ERROR = 2;
const TRACE_ID = /^[\da-f]{32}$/;
const SPAN_ID = /^[\da-f]{16}$/;

/** The spans of an export by OTLP over HTTP in JSON. Leaves out invalid spans; throws a SyntaxError for a text that is not JSON. */
export const spansOf = (body: string): readonly SeenSpan[] =>
  listOf(JSON.parse(body), 'resourceSpans').flatMap((resourceSpans) => {
    const service = attributesOf(member(resourceSpans, 'resource')).find(([key]) => key === 'service.name')?.[1] ?? '';
    return listOf(resourceSpans, 'scopeSpans').flatMap((scope) => listOf(scope, 'spans').flatMap((span) => spanOf(span, service) ?? []));
  });

const spanOf = (span: unknown, service: string): SeenSpan | undefined => {
  const [traceId, spanId, parent] = ['traceId', 'spanId', 'parentSpanId'].map((name) => textOf(span, name));
  const [start, end] = ['startTimeUnixNano', 'endTimeUnixNano'].map((name) => Number(member(span, name)) / 1e6);
  if (!TRACE_ID.test(traceId!) || !SPAN_ID.test(spanId!) || !isTime(start!) || !isTime(end!)) return undefined;
  return {
    traceId: traceId!,
    spanId: spanId!,
    parentSpanId: parent === '' ? undefined : parent,
    name: textOf(span, 'name'),
    service,
    kind: KINDS[Number(member(span, 'kind'))] ?? '',
    start: start!,
    end: Math.max(start!, end!),
    failed: member(member(span, 'status'), 'code') === ERROR,
    attributes: attributesOf(span),
    links: listOf(span, 'links').flatMap((link) => textOf(link, 'traceId').match(TRACE_ID) ?? []),
  };
};

/** The range of times that a Date can hold. */
const isTime = (milliseconds: number): boolean => milliseconds >= 0 && milliseconds <= 8.64e15;

const attributesOf = (of: unknown): readonly (readonly [string, string])[] =>
  listOf(of, 'attributes').map((attribute) => {
    const [value] = Object.values((member(attribute, 'value') ?? {}) as object) as unknown[];
    return [textOf(attribute, 'key'), typeof value === 'object' ? JSON.stringify(value) : String(value)];
  });

const member = (of: unknown, name: string): unknown =>
  typeof of === 'object' && of !== null ? (of as Readonly<Record<string, unknown>>)[name] : undefined;

const listOf = (of: unknown, name: string): readonly unknown[] => {
  const list = member(of, name);
  return Array.isArray(list) ? list : [];
};

const textOf = (of: unknown, name: string): string => {
  const text = member(of, name);
  return typeof text === 'string' ? text : '';
};
