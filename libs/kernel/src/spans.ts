import { currentTraceparent, hasGivenTrace, inChild, inTrace } from './trace-context.js';

/** Nothing secret or personal: ids, patterns, counts and codes. */
export type SpanAttributes = Readonly<Record<string, string | number>>;

export interface NewSpan {
  /** Of few different values: no id, no path. */
  readonly name: string;
  readonly kind: 'server' | 'client' | 'producer' | 'consumer' | 'internal';
  /** W3C `traceparent` of the span above. Absent: the span begins a trace. */
  readonly parent?: string | undefined;
  /** W3C `traceparent` of a span in another trace that led to this one. */
  readonly link?: string | undefined;
  readonly attributes?: SpanAttributes;
}

/** A piece of work in a trace, while it is recorded. */
export interface Span {
  /** W3C Trace Context of the work in it. */
  readonly traceparent: string;
  set(attributes: SpanAttributes): void;
  /** Ends it. `failure`: a code or the class of an error, never its message, which may quote a request. */
  end(failure?: string): void;
}

/** Records spans. The process has one or none. */
export interface SpanRecorder {
  begin(span: NewSpan): Span;
}

const process: { recorder?: SpanRecorder | undefined } = {};

/** From now on spans are recorded; without a recorder none is made. */
export const recordSpans = (recorder: SpanRecorder | undefined): void => {
  process.recorder = recorder;
};

/** Begins a span. Undefined when nothing is recorded: `span` is then not called. */
export const beginSpan = (span: () => NewSpan): Span | undefined => process.recorder?.begin(span());

/** The id of the trace of the work that runs, where this process records it; undefined otherwise. */
export const recordedTraceId = (): string | undefined => {
  const traceparent = process.recorder && currentTraceparent();
  return traceparent?.endsWith('-01') ? traceparent.slice(3, 35) : undefined;
};

/** Runs the work in a span below the one that runs. Outside of a trace, and when nothing is recorded, the work runs as it is. */
export const inSpan = <Result>(span: () => NewSpan, work: (span?: Span) => Result): Result => {
  const parent = currentTraceparent();
  const begun = parent === undefined ? undefined : beginSpan(() => ({ ...span(), parent }));
  return begun ? inChild(begun.traceparent, () => ending(begun, () => work(begun))) : work();
};

/**
 * Runs work on something that has a trace already, such as a session, in a span of that trace. So the request of a phone or a browser, which brings no
 * trace context, goes on with the trace of the session; a link leads to the request's own. Work that was given a trace stays in it.
 *
 * @param before W3C `traceparent` of the last thing that happened to it.
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
