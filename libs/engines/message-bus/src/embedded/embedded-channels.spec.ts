import { ServiceUnavailable } from '#kernel';

import { order } from '#testkit/message-bus/thing-channel';
import { EmbeddedChannels } from './embedded-channels.js';

const of = (handler: () => Promise<void>, signal = new AbortController().signal) => ({
  topic: 'orders',
  group: 'group',
  types: ['thing.ordered'],
  handler,
  signal,
});

describe('a channel inside one process', () => {
  it('passes the failure of a handler on to the sender, who has to send again', async () => {
    const channels = new EmbeddedChannels();
    channels.consume(of(async () => Promise.reject(new ServiceUnavailable('no answer from the store'))));
    await expect(channels.send('orders', [order('a', 1)])).rejects.toThrow(ServiceUnavailable);
  });

  it('takes no message without a consumer, before the first and after the last', async () => {
    const channels = new EmbeddedChannels();
    await expect(channels.send('orders', [order('a', 1)])).rejects.toThrow(ServiceUnavailable);
    const stop = new AbortController();
    const consumption = channels.consume(of(async () => undefined, stop.signal));
    await channels.send('orders', [order('a', 1)]);
    await expect(consumption.check()).resolves.toBeUndefined();
    stop.abort();
    await consumption.done;
    await expect(consumption.check()).rejects.toThrow(ServiceUnavailable);
    await expect(channels.send('orders', [order('a', 1)])).rejects.toThrow(ServiceUnavailable);
  });

  it('has ended only when no handler runs any more', async () => {
    const channels = new EmbeddedChannels();
    const [stop, release] = [new AbortController(), Promise.withResolvers<void>()];
    const { done } = channels.consume(of(() => release.promise, stop.signal));
    const sent = channels.send('orders', [order('a', 1)]);
    let hasEnded = false;
    const ended = done.then(() => (hasEnded = true));
    stop.abort();
    await new Promise(setImmediate);
    expect(hasEnded).toBe(false);
    release.resolve();
    await Promise.all([sent, ended]);
  });
});
