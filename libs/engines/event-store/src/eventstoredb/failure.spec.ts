import { EventStoreUnavailable } from '../event-store.js';
import { describe as described, failureOf, unavailable } from './failure.js';

/** As grpc-js has it: an Error with a code and trailers. */
const plain = (code: number, trailers: Record<string, string> = {}): Error =>
  Object.assign(new Error('what the server said'), {
    code,
    metadata: { get: (name: string) => (trailers[name] === undefined ? [] : [trailers[name]]) },
  });

describe('the failure behind an error', () => {
  it.each(['stream-not-found', 'stream-deleted', 'not-leader'])('is %s by the name that the client gives, whatever the class', (type) => {
    expect(failureOf({ type })).toBe(type);
  });

  it.each(['stream-not-found', 'stream-deleted', 'not-leader'])('is %s by the trailer, when the client has not converted it', (exception) => {
    expect(failureOf(plain(9, { exception }))).toBe(exception);
  });

  it('is unavailable for a plain error with a code and no name', () => {
    expect(failureOf(plain(14))).toBe('unavailable');
  });

  it('never takes a bare "not found" for an empty stream: a proxy says so too', () => {
    expect(failureOf(plain(5))).toBe('unavailable');
  });

  it.each([undefined, null, 'text', 7, {}, new TypeError('x'), { type: 'unavailable' }, { type: 'something new' }])(
    'is unavailable for anything else: %p',
    (error) => {
      expect(failureOf(error)).toBe('unavailable');
    },
  );

  it('is a 503 whose reason names the kind and the message', () => {
    const error = unavailable('read', plain(14));
    expect(error).toBeInstanceOf(EventStoreUnavailable);
    expect(error.code).toBe('service_unavailable');
    expect(error.reason).toBe('EventStoreDB cannot read: code 14, what the server said');
    expect(unavailable('append', error)).toBe(error);
  });

  it('is described in a line of bounded length', () => {
    expect(described(new Error('x'.repeat(5_000))).length).toBe(300);
  });
});
