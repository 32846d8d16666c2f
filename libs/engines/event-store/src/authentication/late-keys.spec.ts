import { setImmediate } from 'node:timers/promises';

import { LateKeys } from './late-keys.js';

const never = (): boolean => false;
const always = (): boolean => true;
const open = new AbortController().signal;

describe('the wait for a late key', () => {
  let rereads: number;
  let pauses: number;
  let keys: LateKeys;
  beforeEach(() => {
    [rereads, pauses] = [0, 0];
    keys = new LateKeys(
      async () => void (rereads += 1),
      async () => void (pauses += 1),
    );
  });

  it('ends at once when the key is in the file', async () => {
    await keys.wait(always, open);
    expect([rereads, pauses]).toEqual([1, 0]);
  });

  it('is in vain once; the next ones look once, until a key has arrived', async () => {
    await keys.wait(never, open);
    expect([rereads, pauses]).toEqual([121, 120]);
    await keys.wait(never, open);
    expect([rereads, pauses]).toEqual([122, 120]);
    await keys.wait(always, open);
    await keys.wait(never, open);
    expect(pauses).toBe(240);
  });

  it('ends when the key arrives meanwhile', async () => {
    await keys.wait(() => rereads === 5, open);
    expect([rereads, pauses]).toEqual([5, 4]);
    await keys.wait(never, open);
    expect(pauses).toBe(124);
  });

  it('ends with the signal, in the middle of a pause too, and is then not in vain', async () => {
    const leave = new AbortController();
    let ended = false;
    const wait = new LateKeys(async () => undefined).wait(never, leave.signal).then(() => (ended = true));
    await setImmediate();
    expect(ended).toBe(false);
    leave.abort();
    await setImmediate();
    expect(ended).toBe(true);
    await wait;
    await keys.wait(never, leave.signal);
    await keys.wait(never, open);
    expect(pauses).toBe(120);
  });
});
