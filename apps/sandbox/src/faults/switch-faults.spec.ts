import { InvalidRequest } from '#kernel';

import { type Fault, SwitchFaults } from './switch-faults.js';

const lamp = (): Fault & { on: boolean } => {
  const fault = {
    on: false,
    expected: 'true or false',
    accepts: (value: unknown) => typeof value === 'boolean',
    set: (value: unknown) => void (fault.on = value === true),
  };
  return fault;
};

describe('faults', () => {
  it('are switched as named', () => {
    const [time_stamp_down, endpoint_slow] = [lamp(), lamp()];
    const switches = new SwitchFaults({ time_stamp_down, endpoint_slow });
    expect(switches.execute({ time_stamp_down: true })).toEqual({ time_stamp_down: true });
    expect([time_stamp_down.on, endpoint_slow.on]).toEqual([true, false]);
  });

  it('are switched together, or not at all', () => {
    const time_stamp_down = lamp();
    const switches = new SwitchFaults({ time_stamp_down });
    expect(() => switches.execute({ time_stamp_down: true, other: true })).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        reason: 'unknown fault',
        detail: '`other` is not a fault; these are offered: time_stamp_down',
      }),
    );
    expect(() => switches.execute({ time_stamp_down: 1 })).toThrow(expect.objectContaining({ detail: '`time_stamp_down` must be true or false' }));
    expect(time_stamp_down.on).toBe(false);
  });

  it.each(['toString', '__proto__', 'constructor'])('are no inherited names: %s', (name) => {
    const switches = new SwitchFaults({ x: lamp() });
    expect(() => switches.execute(JSON.parse(`{"${name}": true}`) as never)).toThrow(InvalidRequest);
  });

  it.each([undefined, {}])('are asked for when none is named: %p', (wanted) => {
    expect(() => new SwitchFaults({ time_stamp_down: lamp() }).execute(wanted)).toThrow(InvalidRequest);
  });
});
