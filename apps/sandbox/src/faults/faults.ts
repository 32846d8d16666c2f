import type { Platform } from '#service/platform';

import type { Fault, Faults } from './switch-faults.js';

/** The faults that can be switched. A service that offers a fault adds a line. */
export const faultsOf = ({ trustServices }: Platform): Faults => {
  const interruptible = trustServices?.interruptible;
  return { ...(interruptible && { time_stamp_down: onOff((down) => (interruptible.interrupted = down)) }) };
};

const onOff = (set: (on: boolean) => void): Fault => ({
  expected: 'true or false',
  accepts: (value) => typeof value === 'boolean',
  set: (value) => set(value === true),
});
