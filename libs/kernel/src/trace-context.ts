import { AsyncLocalStorage } from 'node:async_hooks';

interface Trace {
  readonly traceparent: string;
  /** Whether this process has begun the trace, because the request brought none. */
  readonly begunHere: boolean;
}

const current = new AsyncLocalStorage<Trace>();

/** W3C Trace Context, level 1: version, trace id, parent id, flags. The ids may not be all zeros, the version not `ff`; later versions may append more. */
const TRACEPARENT = /^(?!ff)(?<version>[\da-f]{2})-(?<ids>(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2})(?<more>-.*)?$/;

/** The header `traceparent` as version 00, which is the one handed on. Undefined for anything that is none. */
export const traceparentOf = (header: unknown): string | undefined => {
  const { version, ids, more } = (typeof header === 'string' && TRACEPARENT.exec(header)?.groups) || {};
  return ids === undefined || (version === '00' && more !== undefined) ? undefined : `00-${ids}`;
};

/** The trace context of the work that runs: of the request, or of the message. */
export const currentTraceparent = (): string | undefined => current.getStore()?.traceparent;

/** The trace id of the current work, for the log. */
export const currentTraceId = (): string | undefined => currentTraceparent()?.slice(3, 35);

/** The header for a request to another service; none outside of a trace. */
export const traceHeaders = (): { readonly traceparent?: string } => {
  const traceparent = currentTraceparent();
  return traceparent === undefined ? {} : { traceparent };
};

/** Whether the trace of the current work came from outside: from the caller, or with a message. */
export const hasGivenTrace = (): boolean => current.getStore()?.begunHere === false;

/** Runs the work, and all work that it starts, in a trace context. Undefined: in the current one. `begunHere`: see {@link hasGivenTrace}. */
export const inTrace = <Result>(traceparent: string | undefined, work: () => Result, begunHere = false): Result =>
  traceparent === undefined ? work() : current.run({ traceparent, begunHere }, work);

/** Runs the work in a child of the current trace context. */
export const inChild = <Result>(traceparent: string, work: () => Result): Result =>
  current.run({ traceparent, begunHere: current.getStore()?.begunHere ?? false }, work);
