import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';

import { Resets, type ResetSteps } from './resets.js';

const response = (): ServerResponse => Object.assign(new EventEmitter(), { closed: false }) as unknown as ServerResponse;

let done: string[];
let exchanged: PromiseWithResolvers<void>;
const resetsWith = (steps: Partial<ResetSteps> = {}): Resets =>
  new Resets({
    heldElsewhere: [],
    stop: async () => void done.push('stop'),
    exchange: () => {
      done.push('exchange');
      return exchanged.promise;
    },
    failed: ({ message }) => done.push(`failed: ${message}`),
    ...steps,
  });

beforeEach(() => {
  done = [];
  exchanged = Promise.withResolvers<void>();
});

describe('the resets of a sandbox', () => {
  it('are one when they are asked for together, and the next one is another', async () => {
    const resets = resetsWith();
    const together = [resets.reset(response()), resets.reset(response())];
    await turn();
    exchanged.resolve();
    await Promise.all(together);
    expect(done).toEqual(['stop', 'exchange']);
    await resets.reset(response());
    expect(done).toEqual(['stop', 'exchange', 'stop', 'exchange']);
  });

  it('begin when what is under way is answered, but for the reset itself, and hold what comes later', async () => {
    const resets = resetsWith();
    const begun: string[] = [];
    const [underWay, asking] = [response(), response()];
    resets.gate.enter(underWay, () => begun.push('before'));
    resets.gate.enter(asking, () => begun.push('reset'));
    const reset = resets.reset(asking);
    await turn();
    resets.gate.enter(response(), () => begun.push('after'));
    expect([done, begun]).toEqual([['stop'], ['before', 'reset']]);
    underWay.emit('close');
    await turn();
    expect([done, begun]).toEqual([
      ['stop', 'exchange'],
      ['before', 'reset'],
    ]);
    exchanged.resolve();
    await reset;
    await turn();
    expect(begun).toEqual(['before', 'reset', 'after']);
  });

  it('tell the process when they fail, and the caller that the service is unavailable; each wait ends', async () => {
    const resets = resetsWith();
    const begun: string[] = [];
    const reset = resets.reset(response());
    await turn();
    resets.gate.enter(response(), () => begun.push('after'));
    exchanged.reject(new Error('the disk is full'));
    await expect(reset).rejects.toMatchObject({ code: 'service_unavailable' });
    await turn();
    expect([done, begun]).toEqual([['stop', 'exchange', 'failed: the disk is full'], ['after']]);
  });

  it('are refused where something else holds a part of the data, and name the setting', async () => {
    const refused = resetsWith({ heldElsewhere: ['ESDB_URL', 'REDIS_URL'] }).reset(response());
    await expect(refused).rejects.toMatchObject({ code: 'reset_not_possible', detail: expect.stringContaining('ESDB_URL') });
    expect(done).toEqual([]);
  });

  it('end with the process', async () => {
    const resets = resetsWith();
    const running = resets.reset(response());
    let isClosed = false;
    const closed = resets.close().then(() => (isClosed = true));
    await turn();
    expect(isClosed).toBe(false);
    exchanged.resolve();
    await Promise.all([running, closed]);
    await expect(resets.reset(response())).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(done).toEqual(['stop', 'exchange']);
  });
});
