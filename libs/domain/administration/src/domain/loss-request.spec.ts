import { readFile } from 'node:fs/promises';

import { type LossRequest, lossRequestDecider, type LossRequestEvent } from './loss-request.js';

/** Stored events are read for ever: never change this file, add another one for a new version. */
const GOLDEN = JSON.parse(await readFile(new URL('loss-request.v1.json', import.meta.url), 'utf8')) as LossRequestEvent[];

const after = (count: number): LossRequest =>
  GOLDEN.slice(0, count).reduce<LossRequest>((state, event) => lossRequestDecider.evolve(state, { ...event, id: 'id' }), lossRequestDecider.initial);

describe('the request to accept a loss', () => {
  it('reads its events as they were stored', () => {
    expect(GOLDEN.map((_, index) => after(index + 1).status)).toEqual(['ASKED', 'WAITING', 'WAITING', 'NONE', 'NONE']);
    expect(after(3)).toMatchObject({ noticedAt: 1_767_225_601_000, told: { question: 'accept', requests: [{}] } });
  });

  it('can be stopped since the phones were asked for that alone: a wait in which they were asked to accept it does not count', () => {
    const told = (question: 'accept' | 'stop', at: number): LossRequestEvent => ({
      type: 'LossAcceptanceTold',
      data: { at, requestId: 'request', question, told: [] },
    });
    const since = (...events: LossRequestEvent[]): unknown =>
      events.reduce((state, event) => lossRequestDecider.evolve(state, { ...event, id: 'id' }), after(2));
    expect(since(told('accept', 1), told('stop', 7), told('stop', 9))).toMatchObject({ stoppableSince: 7 });
    expect(since(told('stop', 1), told('accept', 7))).not.toHaveProperty('stoppableSince');
    expect(since(told('stop', 1), told('accept', 7), told('stop', 9))).toMatchObject({ stoppableSince: 9 });
  });

  it('is one at a time', () => {
    const asked = (after(1) as LossRequest & { status: 'ASKED' }).asked;
    expect(lossRequestDecider.decide({ type: 'AskLossAcceptance', asked }, after(0))).toEqual([GOLDEN[0]]);
    expect(() => lossRequestDecider.decide({ type: 'AskLossAcceptance', asked }, after(2))).toThrow('under way');
    expect(lossRequestDecider.decide({ type: 'AskLossAcceptance', asked }, after(4))).toHaveLength(1);
  });

  it('is noticed once, and ends once', () => {
    expect(lossRequestDecider.decide({ type: 'NoticeLossAcceptance', now: 5 }, after(1))).toHaveLength(1);
    expect(lossRequestDecider.decide({ type: 'NoticeLossAcceptance', now: 5 }, after(2))).toEqual([]);
    expect(lossRequestDecider.decide({ type: 'EndLossAcceptance', now: 5 }, after(4))).toEqual([]);
    expect(lossRequestDecider.decide({ type: 'StopLossAcceptance', now: 5, by: 'person' }, after(0))).toEqual([]);
  });
});
