import type { EventStoreDBClient } from '@eventstore/db-client';

import type { StreamName } from '../event-store.js';
import { MOST_PENDING, SHORTEST_SILENCE } from './append-channel.js';
import { appendRecords, forgetFeatures, hasAppendRecords } from './client.js';
import type { Connection } from './connection.js';
import { describe, failureOf } from './failure.js';
import { detailsOf, type RecordsRequest, recordsMessage, storedRevisions, type Violation, violationsOf } from './records-messages.js';

/**
 * `stored`: the last revision of each append, in their order. `unsupported`: the server has no such call, and nothing was stored. `refused`: nothing was stored and never will be.
 * `unknown`: all of it may be stored, or nothing.
 */
export type RecordsAnswer =
  | { readonly kind: 'stored'; readonly revisions: readonly number[] }
  | { readonly kind: 'violated'; readonly violations: readonly Violation[] }
  | { readonly kind: 'too-large'; readonly stream: StreamName }
  | { readonly kind: 'unsupported' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string };

const ERRORS = 'kurrentdb.protocol.v2.streams.errors';
const VIOLATED = `${ERRORS}.AppendConsistencyViolationErrorDetails`;
const TOO_LARGE = [`${ERRORS}.AppendRecordSizeExceededErrorDetails`, `${ERRORS}.AppendTransactionSizeExceededErrorDetails`];
const NOT_LEADER = 'kurrent.rpc.NotLeaderNodeErrorDetails';

/** gRPC's codes. */
const INVALID_ARGUMENT = 3;
const UNIMPLEMENTED = 12;
const UNAVAILABLE = 14;

/**
 * Appends to several streams by KurrentDB's call `AppendRecords`, over the connection of all other calls, each with a time-out of its own (ADR 0132). Whether the server has the
 * call is asked once for each connection.
 */
export class RecordsChannel {
  #pending = 0;
  #answers = 0;

  constructor(private readonly connection: Pick<Connection, 'client' | 'failed' | 'leave' | 'left'>) {}

  /** Never rejects. */
  async append(request: RecordsRequest, timeout: number): Promise<RecordsAnswer> {
    if (this.#pending >= MOST_PENDING) return { kind: 'refused', reason: `${MOST_PENDING} appends are waiting` };
    const answersBefore = this.#answers;
    this.#pending += 1;
    try {
      return await this.#within(timeout, (client, signal) => this.#append(client, request, signal));
    } catch (error) {
      if (error instanceof NoAnswer && timeout >= SHORTEST_SILENCE && answersBefore === this.#answers && error.client)
        this.connection.leave(error.client);
      return { kind: 'unknown', reason: describe(error) };
    } finally {
      this.#pending -= 1;
    }
  }

  /** Whether the server has the call. Rejects when it does not say so in time. */
  isSupported(timeout: number): Promise<boolean> {
    return this.#within(timeout, hasAppendRecords);
  }

  async #append(client: EventStoreDBClient, request: RecordsRequest, signal: AbortSignal): Promise<RecordsAnswer> {
    try {
      if (!(await hasAppendRecords(client, signal))) return { kind: 'unsupported' };
      const revisions = storedRevisions(await appendRecords(client, recordsMessage(request), signal));
      this.#answers += 1;
      return { kind: 'stored', revisions: request.appends.map(({ stream }) => revisions.get(stream) as number) };
    } catch (error) {
      if (signal.aborted) throw error;
      return this.#failed(client, request, error);
    }
  }

  #failed(client: EventStoreDBClient, request: RecordsRequest, error: unknown): RecordsAnswer {
    const { code, metadata } = error as { code?: unknown; metadata?: { get?(name: string): unknown[] } };
    const [status] = metadata?.get?.('grpc-status-details-bin') ?? [];
    const details = status instanceof Uint8Array ? detailsOf(status) : new Map<string, Uint8Array>();
    if (status !== undefined) this.#answers += 1;
    const violated = details.get(VIOLATED);
    if (violated) return { kind: 'violated', violations: violationsOf(violated, request) };
    const [first] = request.appends;
    if (first && TOO_LARGE.some((name) => details.has(name))) return { kind: 'too-large', stream: first.stream };
    if (details.has(NOT_LEADER)) this.connection.failed(client, { type: 'not-leader' });
    if (code === UNIMPLEMENTED) {
      forgetFeatures(client);
      return { kind: 'unsupported' };
    }
    if (code === UNAVAILABLE || failureOf(error) === 'access-denied') this.connection.failed(client, error);
    const isRefused = code === INVALID_ARGUMENT || failureOf(error) === 'access-denied';
    return { kind: isRefused ? 'refused' : 'unknown', reason: describe(error) };
  }

  /** Runs the work with the client of the node that leads, until the time is over or the node is left. */
  async #within<Answer>(timeout: number, work: (client: EventStoreDBClient, signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
    const over = new AbortController();
    const ended = Promise.withResolvers<never>();
    let client: EventStoreDBClient | undefined;
    const end = (reason: Error): void => {
      over.abort();
      ended.reject(reason);
    };
    const timer = setTimeout(() => end(new NoAnswer(`no answer in ${Math.round(timeout)} ms`, client)), timeout);
    const leave = (): void => end(new Error('the node was left'));
    let left: AbortSignal | undefined;
    const working = (async () => {
      client = await this.connection.client();
      left = this.connection.left(client);
      left.addEventListener('abort', leave);
      over.signal.throwIfAborted();
      return work(client, over.signal);
    })();
    try {
      return await Promise.race([working, ended.promise]);
    } finally {
      clearTimeout(timer);
      left?.removeEventListener('abort', leave);
      working.catch(() => undefined);
    }
  }
}

/** The time of a call is over. */
class NoAnswer extends Error {
  constructor(
    message: string,
    readonly client: EventStoreDBClient | undefined,
  ) {
    super(message);
  }
}
