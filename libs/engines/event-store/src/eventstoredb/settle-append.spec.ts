import { type EventId, SystemRandomness } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';

import { AppendTooLarge, EventStoreUnavailable, StreamTombstoned, WrongExpectedRevision } from '../event-store.js';
import type { AppendAnswer, AppendRequest } from './append-messages.js';
import { settleAppend } from './settle-append.js';

const request: AppendRequest = {
  stream: 'thing-1',
  expected: 4,
  events: [{ id: '00000000-0000-4000-8000-000000000001' as EventId, type: 'Happened', data: '{}' }],
};
const unknown: AppendAnswer = { kind: 'unknown', reason: 'code 14' };

/** Answers by the list, the last one for ever; each try takes so long on the clock. */
const script = (answers: readonly AppendAnswer[], takes = 0) => {
  const clock = new FixedClock();
  const sent: { request: AppendRequest; timeout: number }[] = [];
  let pending = 0;
  const overlaps: number[] = [];
  const channel = {
    append: async (each: AppendRequest, timeout: number): Promise<AppendAnswer> => {
      overlaps.push(pending++);
      sent.push({ request: each, timeout });
      clock.advance(Math.min(takes, timeout));
      await Promise.resolve();
      pending -= 1;
      return answers[Math.min(sent.length, answers.length) - 1]!;
    },
  };
  const tries = { channel, clock, randomness: new SystemRandomness(), pause: async (milliseconds: number) => clock.advance(milliseconds) };
  return { tries, sent, clock, overlaps };
};

describe('settling an append', () => {
  it('gets the answer of the first try', async () => {
    const { tries, sent } = script([{ kind: 'stored', revision: 5 }]);
    expect(await settleAppend(tries, request)).toEqual({ revision: 5, ids: request.events.map(({ id }) => id) });
    expect(sent).toHaveLength(1);
  });

  it('repeats an unknown outcome with the same ids at the same revision, one try after the other', async () => {
    const { tries, sent, overlaps } = script([unknown, unknown, { kind: 'stored', revision: 5 }]);
    expect(await settleAppend(tries, request)).toEqual({ revision: 5, ids: request.events.map(({ id }) => id) });
    expect(sent.map((each) => each.request)).toEqual([request, request, request]);
    expect(overlaps).toEqual([0, 0, 0]);
  });

  it('reports a conflict after an unknown outcome: the repetition of a stored append never conflicts', async () => {
    const { tries } = script([unknown, { kind: 'conflict', actual: 7 }]);
    const settled = settleAppend(tries, request);
    await expect(settled).rejects.toBeInstanceOf(WrongExpectedRevision);
    await expect(settled).rejects.toMatchObject({ stream: 'thing-1', expected: 4, actual: 7 });
  });

  it('gives up within five seconds, as unavailable, when nothing is ever answered', async () => {
    const { tries, clock, sent } = script([unknown], 2_000);
    const began = clock.monotonic();
    const settled = settleAppend(tries, request);
    await expect(settled).rejects.toBeInstanceOf(EventStoreUnavailable);
    await expect(settled).rejects.toMatchObject({ code: 'service_unavailable', reason: 'the outcome of an append is unknown: code 14' });
    expect(clock.monotonic() - began).toBeLessThanOrEqual(5_000);
    expect(sent.length).toBeGreaterThanOrEqual(2);
  });

  it('never lets the last try run over the budget', async () => {
    const { tries, sent } = script([unknown], 2_000);
    await expect(settleAppend(tries, request, 3_000)).rejects.toBeInstanceOf(EventStoreUnavailable);
    expect(sent.map(({ timeout }) => timeout)).toEqual([2_000, expect.any(Number)]);
    expect(sent[1]!.timeout).toBeLessThan(1_000);
  });

  it.each([
    ['tombstoned', { kind: 'tombstoned' }, StreamTombstoned],
    ['too large', { kind: 'too-large' }, AppendTooLarge],
    ['refused for good', { kind: 'refused', reason: 'access denied' }, EventStoreUnavailable],
  ] as const)('does not repeat an append that was %s', async (_name, answer, error) => {
    const { tries, sent } = script([answer]);
    await expect(settleAppend(tries, request)).rejects.toBeInstanceOf(error);
    expect(sent).toHaveLength(1);
  });
});
