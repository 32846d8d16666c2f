import { EventEmitter } from 'node:events';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { RateLimited } from '#engines/rate-limit';

import { LongPolls } from './long-poll.js';

const REQUEST = { headers: { prefer: 'wait=30' } } as unknown as FastifyRequest;

/** A reply as far as long polls need it. */
const reply = () => {
  const raw = new EventEmitter();
  return { raw, header: () => undefined } as unknown as FastifyReply & { readonly raw: EventEmitter };
};

describe('long polls', () => {
  const begin = (polls: LongPolls, holder?: string) => {
    const one = reply();
    polls.begin(REQUEST, one, holder);
    return one;
  };

  it('of 6,000 of one holder, ten wait', () => {
    const polls = new LongPolls(new AbortController().signal);
    const outcomes = Array.from({ length: 6_000 }, () => {
      try {
        return begin(polls, 'session');
      } catch (error) {
        return error;
      }
    });
    expect(outcomes.filter((outcome) => outcome instanceof RateLimited)).toHaveLength(5_990);
    expect(() => begin(polls, 'another session')).not.toThrow();
  });

  it.each(['finish', 'close'])('leave room for the next one at %s, once each', (event) => {
    const polls = new LongPolls(new AbortController().signal);
    const [first] = Array.from({ length: 10 }, () => begin(polls, 'session'));
    first!.raw.emit(event);
    first!.raw.emit('close');
    expect(() => begin(polls, 'session')).not.toThrow();
    expect(() => begin(polls, 'session')).toThrow(RateLimited);
  });

  it('without a holder are not counted: right credentials of clients are never throttled', () => {
    const polls = new LongPolls(new AbortController().signal);
    expect(() => Array.from({ length: 100 }, () => begin(polls))).not.toThrow();
  });
});
