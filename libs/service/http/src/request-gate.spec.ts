import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';

import { RequestGate } from './request-gate.js';

/** What the gate uses of a response. */
class Answer extends EventEmitter {
  closed = false;
  destroyed = false;

  end(): void {
    this.closed = true;
    this.emit('close');
  }

  destroy(): void {
    this.destroyed = true;
    this.end();
  }
}

const NEVER = 2 ** 31 - 1;

let gate: RequestGate;
let begun: string[];
const enter = (name: string): Answer => {
  const answer = new Answer();
  gate.enter(answer as unknown as ServerResponse, () => begun.push(name));
  return answer;
};

beforeEach(() => {
  gate = new RequestGate();
  begun = [];
});

describe('a gate for requests', () => {
  it('is open at first', () => {
    enter('a');
    expect(begun).toEqual(['a']);
  });

  it('holds those that arrive while it is shut, and lets them go on in their order', async () => {
    const open = gate.shut();
    for (const name of ['a', 'b', 'c']) enter(name);
    await turn();
    expect(begun).toEqual([]);
    open();
    await turn();
    expect(begun).toEqual(['a', 'b', 'c']);
  });

  it('holds them again when it is shut at once', async () => {
    const open = gate.shut();
    enter('a');
    open();
    const again = gate.shut();
    await turn();
    expect(begun).toEqual([]);
    again();
    await turn();
    expect(begun).toEqual(['a']);
  });

  it('forgets one whose caller has gone meanwhile', async () => {
    const open = gate.shut();
    enter('a').end();
    open();
    await turn();
    expect(begun).toEqual([]);
    await gate.quiet(NEVER);
  });

  it('is quiet when those that had entered are answered', async () => {
    const [one, two, asking] = [enter('a'), enter('b'), enter('reset')];
    gate.leave(asking as unknown as ServerResponse);
    gate.shut();
    enter('late');
    let isQuiet = false;
    const quiet = gate.quiet(NEVER).then(() => (isQuiet = true));
    one.end();
    await turn();
    expect(isQuiet).toBe(false);
    two.end();
    await quiet;
    expect([one.destroyed, two.destroyed, asking.closed]).toEqual([false, false, false]);
  });

  it('takes the connections of those that are not answered in time', async () => {
    const [slow, asking] = [enter('a'), enter('reset')];
    gate.leave(asking as unknown as ServerResponse);
    await gate.quiet(1);
    expect([slow.destroyed, asking.destroyed]).toEqual([true, false]);
  });
});
