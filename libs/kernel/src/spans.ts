import { currentTraceparent, hasGivenTrace, inChild, inTrace } from './trace-context.js';

/** Ids, patterns, counts and codes. They must hold nothing secret or personal. */
export type SpanAttributes = Readonly<Record<string, string | number>>;

/** The description of a span that begins. */
export interface NewSpan {
  /** One of a few fixed names, without ids and paths. */
  readonly name: string;
  readonly kind: 'server' | 'client' | 'producer' | 'consumer' | 'internal';
  /** W3C `traceparent` of the parent span. Absent: the span begins a trace. */
  readonly parent?: string | undefined;
  /** W3C `traceparent` of a span in another trace that led to this one. */
  readonly link?: string | undefined;
  readonly attributes?: SpanAttributes;
}

/** A recorded piece of work in a trace. */
export interface Span {
  /** W3C Trace Context for the work inside the span. */
  readonly traceparent: string;
  set(attributes: SpanAttributes): void;
  /** Ends the span. `failure`: a code or the class of an error, never its message, which may quote a request. */
  end(failure?: string): void;
}

/** Records spans. The process has one or none. */
export interface SpanRecorder {
  begin(span: NewSpan): Span;
}

const process: { recorder?: SpanRecorder | undefined } = {};

/** Sets the recorder of all spans from now on. Undefined: no spans are made. */
export const recordSpans = (recorder: SpanRecorder | undefined): void => {
  process.recorder = recorder;
};

/** Begins a span. Without a recorder it answers undefined and does not call `span`. */
export const beginSpan = (span: () => NewSpan): Span | undefined => process.recorder?.begin(span());

/** The trace id of the current work if this process records its trace; otherwise undefined. */
export const recordedTraceId = (): string | undefined => {
  const traceparent = process.recorder && currentTraceparent();
  return traceparent?.endsWith('-01') ? traceparent.slice(3, 35) : undefined;
};

/** Runs the work in a child of the current span. Outside of a trace, and without a recorder, the work runs without a span. */
export const inSpan = <Result>(span: () => NewSpan, work: (span?: Span) => Result): Result => {
  const parent = currentTraceparent();
  const begun = parent === undefined ? undefined : beginSpan(() => ({ ...span(), parent }));
  return begun ? inChild(begun.traceparent, () => ending(begun, () => work(begun))) : work();
};

/**
 * Runs work on an object that already has a trace, for example a session, in a span of that trace. A request of a phone or a browser brings no trace
 * context, so it continues the trace of the session; the span links to the request's own trace. Work with a trace from its caller stays in that trace.
 *
 * @param before W3C `traceparent` of the last event of the object.
 */
export const inSpanAfter = <Result>(before: string | undefined, span: () => NewSpan, work: () => Result): Result => {
  if (before === undefined || hasGivenTrace()) return work();
  const begun = beginSpan(() => ({ ...span(), parent: before, link: currentTraceparent() }));
  return begun ? inTrace(begun.traceparent, () => ending(begun, work)) : work();
};

const ending = <Result>(span: Span, work: () => Result): Result => {
  const fail = (error: unknown): never => {
    span.end(error instanceof Error ? error.name : typeof error);
    throw error;
  };
  try {
    const result = work();
    if (!(result instanceof Promise)) {
      span.end();
      return result;
    }
    return result.then((answer: unknown) => {
      span.end();
      return answer;
    }, fail) as Result;
  } catch (error) {
    return fail(error);
  }
};
