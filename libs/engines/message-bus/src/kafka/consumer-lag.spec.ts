import { beforeEach, describe, expect, it, jest } from '@jest/globals';

import { FixedClock } from '#testkit/kernel/fixed-clock';
import { Metrics } from '#telemetry';

import { ConsumerLag } from './consumer-lag.js';

let clock: FixedClock;
let lag: ConsumerLag;
let shown: () => Promise<(string | number | undefined)[][]>;

beforeEach(() => {
  clock = new FixedClock();
  const { busLag: gauge } = new Metrics();
  lag = new ConsumerLag({ gauge, clock }, { topic: 'sessions.events.v1', group: 'signing' });
  shown = async () => (await gauge.get()).values.map(({ labels, value }) => [labels.partition, value]);
});

const end = (partition: number, high = '10') => ({ partition, high });

describe('the lag of a consumer', () => {
  it('is the number of records after the last processed one, for the partitions of this process', async () => {
    lag.begin(end(0), () => 3n);
    let done = -1n;
    lag.begin(end(1), () => done);
    expect(await shown()).toEqual([
      ['0', 6],
      ['1', 10],
    ]);
    done = 9n;
    lag.end(end(1));
    lag.keep([1, 2]);
    expect(await shown()).toEqual([['1', 0]]);
  });

  it('grows with the partition while a batch is stuck, and falls with the records that it has processed', async () => {
    let done = 3n;
    lag.begin(end(0), () => done);
    clock.advance(10_000);
    await lag.refresh(async () => [end(0, '500'), end(7, '900')]);
    expect(await shown()).toEqual([['0', 496]]);
    done = 9n;
    await lag.refresh(async () => [end(0, '700')]);
    expect(await shown()).toEqual([['0', 690]]);
  });

  it('asks the brokers for nothing while no batch is slow, and once at a time', async () => {
    const answer = Promise.withResolvers<ReturnType<typeof end>[]>();
    const ask = jest.fn(() => answer.promise);
    lag.begin(end(0), () => 3n);
    clock.advance(9_999);
    await lag.refresh(ask);
    expect(ask).not.toHaveBeenCalled();
    clock.advance(1);
    const asked = lag.refresh(ask);
    await lag.refresh(ask);
    expect(ask).toHaveBeenCalledTimes(1);
    answer.resolve([]);
    await asked;
    lag.end(end(0));
    await lag.refresh(ask);
    expect(ask).toHaveBeenCalledTimes(1);
  });

  it('stays as it was when the brokers do not answer, and asks again', async () => {
    lag.begin(end(0), () => 3n);
    clock.advance(60_000);
    await lag.refresh(() => Promise.reject(new Error('no broker')));
    expect(await shown()).toEqual([['0', 6]]);
    await lag.refresh(async () => [end(0, '20')]);
    expect(await shown()).toEqual([['0', 16]]);
  });

  it('leaves out a partition that went to another process while the brokers were asked', async () => {
    lag.begin(end(0), () => 3n);
    clock.advance(60_000);
    const asked = lag.refresh(async () => [end(0, '20')]);
    lag.keep([]);
    await asked;
    expect(await shown()).toEqual([]);
  });
});
