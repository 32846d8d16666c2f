import { AsyncLocalStorage } from 'node:async_hooks';

const current = new AsyncLocalStorage<string>();

/** W3C Trace Context, level 1: version, trace id, parent id, flags. The ids may not be all zeros, the version not `ff`; later versions may append more. */
const TRACEPARENT = /^(?!ff)(?<version>[\da-f]{2})-(?<ids>(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2})(?<more>-.*)?$/;

/** The header `traceparent` as version 00, which is the one handed on. Undefined for anything that is none. */
export const traceparentOf = (header: unknown): string | undefined => {
  const { version, ids, more } = (typeof header === 'string' && TRACEPARENT.exec(header)?.groups) || {};
  return ids === undefined || (version === '00' && more !== undefined) ? undefined : `00-${ids}`;
};

/** The trace context of the work that runs: of the request, or of the message. */
export const currentTraceparent = (): string | undefined => current.getStore();

/** Runs the work, and all that it starts, in a trace context; without one it runs as it is. */
export const inTrace = <Result>(traceparent: string | undefined, work: () => Result): Result =>
  traceparent === undefined ? work() : current.run(traceparent, work);
